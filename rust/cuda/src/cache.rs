//! Compiled kernels, kept in memory and on disk.
//!
//! A file is named by a hash of text, architecture and compiler version, and holds all three beside the code, so that neither a
//! collision nor a damaged file is ever taken for the code. It appears by renaming, whole: processes may work at the same
//! time. A disk that cannot be read or written costs time, not correctness.

use crate::compile::{compile, version};
use crate::error::Result;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Of the layout of the files.
const MAGIC: &[u8] = b"sciarray kernel 1\n";

/// FNV-1a: no secret is kept by it, and what it names is compared.
fn hash(bytes: &[u8], seed: u64) -> u64 {
    bytes.iter().fold(seed, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3))
}

/// What a compilation depends on, as bytes.
fn key(text: &str, architecture: &str, compiler: &str) -> Vec<u8> {
    [architecture, compiler, text].join("\n").into_bytes()
}

fn file_name(key: &[u8]) -> String {
    format!("{:016x}{:016x}.bin", hash(key, 0xcbf2_9ce4_8422_2325), hash(key, 0x8422_2325_cbf2_9ce4))
}

/// Magic, the lengths of key and code, their checksum, key, code.
fn encode(key: &[u8], code: &[u8]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    for n in [key.len() as u64, code.len() as u64, hash(code, hash(key, 0))] {
        out.extend_from_slice(&n.to_le_bytes());
    }
    out.extend_from_slice(key);
    out.extend_from_slice(code);
    out
}

/// The code, if this file is whole and of this key.
fn decode(file: &[u8], key: &[u8]) -> Option<Vec<u8>> {
    let rest = file.strip_prefix(MAGIC)?;
    let (numbers, rest) = rest.split_at_checked(24)?;
    let number = |i: usize| numbers[8 * i..8 * i + 8].try_into().map(u64::from_le_bytes).ok();
    let (found, code) = rest.split_at_checked(usize::try_from(number(0)?).ok()?)?;
    let whole = found == key && code.len() as u64 == number(1)? && hash(code, hash(key, 0)) == number(2)?;
    whole.then(|| code.to_vec())
}

/// Where kernels are kept: `SCIARRAY_CACHE_DIR`, or the user's cache.
fn default_folder() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    of("SCIARRAY_CACHE_DIR")
        .or_else(|| of("XDG_CACHE_HOME").map(|p| p.join("sciarray")))
        .or_else(|| of("HOME").map(|p| p.join(".cache").join("sciarray")))
}

/// A cache of machine code.
pub struct Cache {
    folder: Option<PathBuf>,
    /// Per key one cell, so that threads which want the same kernel wait for one compilation, and others for none.
    memory: Mutex<HashMap<Vec<u8>, Arc<Mutex<Option<Arc<[u8]>>>>>>,
    compilations: AtomicU64,
}

impl Cache {
    pub fn new(folder: Option<PathBuf>) -> Cache {
        Cache { folder, memory: Mutex::default(), compilations: AtomicU64::new(0) }
    }

    /// The cache of this process.
    pub fn global() -> &'static Cache {
        static CACHE: OnceLock<Cache> = OnceLock::new();
        CACHE.get_or_init(|| Cache::new(default_folder()))
    }

    /// How often something was compiled.
    pub fn compilations(&self) -> u64 {
        self.compilations.load(Ordering::Relaxed)
    }

    /// The machine code of a text.
    pub fn code(&self, text: &str, architecture: &str) -> Result<Arc<[u8]>> {
        let (major, minor) = version()?;
        self.code_by(text, architecture, &format!("nvrtc {major}.{minor}"), compile)
    }

    fn code_by(
        &self,
        text: &str,
        architecture: &str,
        compiler: &str,
        compile: impl FnOnce(&str, &str) -> Result<Vec<u8>>,
    ) -> Result<Arc<[u8]>> {
        let key = key(text, architecture, compiler);
        let cell = self.memory.lock().unwrap_or_else(|e| e.into_inner()).entry(key.clone()).or_default().clone();
        let mut cell = cell.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(code) = &*cell {
            return Ok(code.clone());
        }
        let path = self.folder.as_ref().map(|f| f.join(file_name(&key)));
        let stored = path.as_ref().and_then(|p| fs::read(p).ok()).and_then(|file| decode(&file, &key));
        let code: Arc<[u8]> = match stored {
            Some(code) => code.into(),
            None => {
                let code = compile(text, architecture)?;
                self.compilations.fetch_add(1, Ordering::Relaxed);
                if let Some(path) = &path {
                    store(path, &encode(&key, &code));
                }
                code.into()
            }
        };
        *cell = Some(code.clone());
        Ok(code)
    }
}

/// Writes beside the place and renames, so that nobody reads half a file.
fn store(path: &Path, bytes: &[u8]) {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let beside = path.with_extension(format!("{}-{number}.part", std::process::id()));
    let written = path
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(&beside, bytes))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("sciarray-cache-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            Folder(path)
        }
        fn files(&self) -> Vec<PathBuf> {
            fs::read_dir(&self.0).map(|d| d.map(|e| e.unwrap().path()).collect()).unwrap_or_default()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn reversed(text: &str, _: &str) -> Result<Vec<u8>> {
        Ok(text.bytes().rev().collect())
    }

    fn refuse(_: &str, _: &str) -> Result<Vec<u8>> {
        Err(Error::Nvrtc(1))
    }

    #[test]
    fn memory_then_disk_then_compiler() {
        let folder = Folder::new("order");
        let cache = Cache::new(Some(folder.0.clone()));
        assert_eq!(*cache.code_by("abc", "sm_90", "v1", reversed).unwrap(), *b"cba");
        assert_eq!(*cache.code_by("abc", "sm_90", "v1", refuse).unwrap(), *b"cba");
        // Another process.
        let again = Cache::new(Some(folder.0.clone()));
        assert_eq!(*again.code_by("abc", "sm_90", "v1", refuse).unwrap(), *b"cba");
        // Each part of the key counts.
        for (text, architecture, compiler) in [("abd", "sm_90", "v1"), ("abc", "sm_80", "v1"), ("abc", "sm_90", "v2")] {
            assert!(again.code_by(text, architecture, compiler, refuse).is_err());
            assert!(again.code_by(text, architecture, compiler, reversed).is_ok());
        }
        assert_eq!((cache.compilations(), again.compilations()), (1, 3));
        assert_eq!(folder.files().len(), 4);
    }

    #[test]
    fn damaged_files_are_compiled_again() {
        let folder = Folder::new("damage");
        let code = |compile: fn(&str, &str) -> Result<Vec<u8>>| {
            Cache::new(Some(folder.0.clone())).code_by("text", "sm_80", "v", compile)
        };
        code(reversed).unwrap();
        let path = folder.files()[0].clone();
        let whole = fs::read(&path).unwrap();
        let mut damaged =
            vec![vec![], whole[..10].to_vec(), whole[..whole.len() - 1].to_vec(), [&whole[..], b"x"].concat()];
        for at in [0, MAGIC.len(), MAGIC.len() + 9, MAGIC.len() + 17, MAGIC.len() + 25, whole.len() - 1] {
            let mut flipped = whole.clone();
            flipped[at] ^= 0x80;
            damaged.push(flipped);
        }
        for bytes in damaged {
            fs::write(&path, &bytes).unwrap();
            assert!(code(refuse).is_err(), "{bytes:?}");
            assert_eq!(*code(reversed).unwrap(), *b"txet");
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn no_disk_no_harm() {
        let file = Folder::new("file");
        fs::write(&file.0, "a file where the folder should be").unwrap();
        for folder in [None, Some(file.0.clone()), Some(file.0.join("below"))] {
            let cache = Cache::new(folder);
            assert_eq!(*cache.code_by("ab", "sm_75", "v", reversed).unwrap(), *b"ba");
            assert_eq!(*cache.code_by("ab", "sm_75", "v", refuse).unwrap(), *b"ba");
        }
        fs::remove_file(&file.0).unwrap();
    }

    #[test]
    fn threads_and_processes_at_the_same_time() {
        let folder = Folder::new("threads");
        let caches: Vec<Cache> = (0..4).map(|_| Cache::new(Some(folder.0.clone()))).collect();
        std::thread::scope(|s| {
            for cache in caches.iter().cycle().take(16) {
                s.spawn(move || {
                    for i in 0..50 {
                        let text = format!("text {}", i % 5);
                        let wanted: Vec<u8> = text.bytes().rev().collect();
                        assert_eq!(*cache.code_by(&text, "sm_90", "v", reversed).unwrap(), *wanted);
                    }
                });
            }
        });
        // One compilation per kernel and cache at most.
        assert!(caches.iter().all(|c| c.compilations() <= 5) && caches.iter().any(|c| c.compilations() > 0));
        let names: Vec<_> = folder.files();
        assert!(names.len() == 5 && names.iter().all(|n| n.extension().is_some_and(|e| e == "bin")), "{names:?}");
    }
}
