//! Archives: what a user downloads.

use anyhow::{Context, Result};
use flate2::{Compression, write::GzEncoder};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// A file in an archive.
#[derive(Debug)]
pub struct ArchiveEntry {
    /// Its path inside the archive's folder, with `/` between folders.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// True for a program.
    pub is_executable: bool,
}

impl ArchiveEntry {
    /// A file that is no program.
    pub fn text(path: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), bytes: text.into(), is_executable: false }
    }

    /// A file that is read.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(path: impl Into<String>, file: &Path, is_executable: bool) -> Result<Self> {
        let bytes = fs::read(file).with_context(|| file.display().to_string())?;
        Ok(Self { path: path.into(), bytes, is_executable })
    }

    fn mode(&self) -> u32 {
        if self.is_executable { 0o755 } else { 0o644 }
    }
}

/// Writes `stem.zip` or `stem.tar.gz` into `folder` and returns its name. All entries are in a folder called `stem`.
///
/// # Errors
/// If the file cannot be written.
pub fn write(folder: &Path, stem: &str, entries: &[ArchiveEntry], as_zip: bool) -> Result<String> {
    let name = format!("{stem}.{}", if as_zip { "zip" } else { "tar.gz" });
    let path = folder.join(&name);
    let file = BufWriter::new(File::create(&path).with_context(|| path.display().to_string())?);
    if as_zip { write_zip(file, stem, entries) } else { write_tar(file, stem, entries) }
        .with_context(|| path.display().to_string())?;
    Ok(name)
}

fn write_zip(file: BufWriter<File>, stem: &str, entries: &[ArchiveEntry]) -> Result<()> {
    let mut archive = ZipWriter::new(file);
    for entry in entries {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .unix_permissions(entry.mode());
        archive.start_file(format!("{stem}/{}", entry.path), options)?;
        archive.write_all(&entry.bytes)?;
    }
    archive.finish()?.flush()?;
    Ok(())
}

fn write_tar(file: BufWriter<File>, stem: &str, entries: &[ArchiveEntry]) -> Result<()> {
    let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::best()));
    for entry in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(entry.mode());
        archive.append_data(&mut header, format!("{stem}/{}", entry.path), entry.bytes.as_slice())?;
    }
    archive.into_inner()?.finish()?.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn both_kinds_of_archive_give_back_what_was_put_in() {
        let folder = std::env::temp_dir().join(format!("tamarack-archive-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let entries = [
            ArchiveEntry { path: "tamarack".to_owned(), bytes: b"program".to_vec(), is_executable: true },
            ArchiveEntry::text("completions/tamarack.fish", "complete"),
        ];
        let zipped = write(&folder, "a", &entries, true).unwrap();
        let mut archive = zip::ZipArchive::new(File::open(folder.join(zipped)).unwrap()).unwrap();
        let mut program = archive.by_name("a/tamarack").unwrap();
        let mut text = String::new();
        program.read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), program.unix_mode().map(|mode| mode & 0o777)), ("program", Some(0o755)));

        let packed = write(&folder, "a", &entries, false).unwrap();
        let file = flate2::read::GzDecoder::new(File::open(folder.join(packed)).unwrap());
        let mut names = Vec::new();
        for entry in tar::Archive::new(file).entries().unwrap() {
            let entry = entry.unwrap();
            names.push((entry.path().unwrap().display().to_string(), entry.header().mode().unwrap()));
        }
        let expected = [("a/tamarack".to_owned(), 0o755), ("a/completions/tamarack.fish".to_owned(), 0o644)];
        assert_eq!(names, expected);
        fs::remove_dir_all(folder).unwrap();
    }
}
