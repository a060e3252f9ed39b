//! `savehash` and `loadhash`: the transposition table in a file, for an analysis that goes on another day.

use crate::search::{BLOCK_BYTES, Pool, TtFile, TtFileError};
use parking_lot::Mutex;
use platform::files::{check_regular_or_new, part_of, remove_abandoned_parts, unquoted};
use platform::pages::try_vec;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The reason why a table was not saved or loaded.
type Refusal = String;

/// Writes the table to a file by all threads; returns what was done, in words. The file is written beside its place and then put
/// there, so an older one stays until the new one is whole. Ends a search that is on.
///
/// # Errors
/// If the table is empty or the file cannot be written.
pub fn save(pool: &mut Pool, file: &str) -> Result<String, Refusal> {
    let file = unquoted(file);
    if pool.tt_is_clean() {
        return Err(format!("{file}: the table is empty, no file is written"));
    }
    write(pool, Path::new(file)).map_err(|error| format!("{file}: {error}"))?;
    Ok(format!("{file} written, {} MB", pool.tt().mebibytes()))
}

/// Replaces the table's entries by those in a file, by all threads; returns what was done, in words. The table may have another size.
/// The whole file is checked before the table is touched. Ends a search that is on.
///
/// # Errors
/// If the file cannot be read, is damaged, or belongs to another network. The table stays, unless the file changes while it is
/// read; then the table is empty.
pub fn load(pool: &mut Pool, file: &str) -> Result<String, Refusal> {
    let file = unquoted(file);
    let source = read(pool, Path::new(file)).map_err(|error| format!("{file}: {error}"))?;
    let loaded = format!("{file} loaded, {} MB", source.mebibytes());
    let size = pool.tt().mebibytes();
    pool.make_room_in_tt(source.age());
    let (table, blocks) = (Arc::clone(pool.tt()), source.mebibytes());
    let restored = for_each_block(pool, blocks, move |block, buffer| {
        source.read_block(block, buffer)?;
        table.restore_block(buffer);
        Ok(())
    });
    if let Err(error) = restored {
        pool.clear();
        return Err(format!("{file}: {error}; it has changed while it was read, and the table is empty now"));
    }
    Ok(if size == blocks { loaded } else { format!("{loaded} into {size} MB") })
}

fn write(pool: &mut Pool, path: &Path) -> Result<(), TtFileError> {
    // There are neither files nor processes there.
    if cfg!(target_family = "wasm") {
        return Err(io::Error::from(io::ErrorKind::Unsupported).into());
    }
    check_regular_or_new(path)?;
    remove_abandoned_parts(path);
    let part = part_of(path);
    // Left by a killed process of the same number.
    let _ = fs::remove_file(&part);
    let written = write_part(pool, &part).and_then(|()| Ok(fs::rename(&part, path)?));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

fn write_part(pool: &mut Pool, part: &Path) -> Result<(), TtFileError> {
    let (table, network) = (Arc::clone(pool.tt()), pool.network().identity()?);
    let file = Arc::new(TtFile::create(part, &table, network)?);
    let shared = Arc::clone(&file);
    for_each_block(pool, file.mebibytes(), move |block, buffer| shared.write_block(&table, block, buffer))?;
    Ok(file.sync()?)
}

/// Opens a file and checks all of it.
fn read(pool: &mut Pool, path: &Path) -> Result<TtFile, TtFileError> {
    let network = pool.network().identity()?;
    let file = Arc::new(TtFile::open(path, network)?);
    let shared = Arc::clone(&file);
    for_each_block(pool, file.mebibytes(), move |block, buffer| shared.read_block(block, buffer))?;
    // The threads have dropped theirs.
    Arc::into_inner(file).ok_or(TtFileError::Foreign)
}

/// Has the threads of the pool do `work` for each block, with a buffer of its size each. The first error ends it.
fn for_each_block(
    pool: &mut Pool,
    blocks: usize,
    work: impl Fn(usize, &mut [u8]) -> Result<(), TtFileError> + Send + Sync + 'static,
) -> Result<(), TtFileError> {
    let (next, fault) = (AtomicUsize::new(0), Arc::new(Mutex::new(None)));
    let faults = Arc::clone(&fault);
    pool.run_on_threads(move || {
        let mut buffer = match try_vec(0, BLOCK_BYTES) {
            Ok(buffer) => buffer,
            Err(error) => {
                faults.lock().get_or_insert(error.into());
                return;
            }
        };
        loop {
            let block = next.fetch_add(1, Relaxed);
            if block >= blocks || faults.lock().is_some() {
                break;
            }
            if let Err(error) = work(block, &mut buffer) {
                faults.lock().get_or_insert(error);
            }
        }
    });
    let fault = fault.lock().take();
    fault.map_or(Ok(()), Err)
}
