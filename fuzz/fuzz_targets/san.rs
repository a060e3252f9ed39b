#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tamarack_fuzz::san(bytes));
