//! From seeds to keys: the mixing of O'Neill's `seed_seq` proposal ("Developing a seed_seq alternative", 2015) with the
//! constants and the spawn keys of NumPy's `SeedSequence`, so that equal seeds give equal states.

const POOL: usize = 4;
const INIT_A: u32 = 0x43b0_d7e5;
const MULT_A: u32 = 0x931e_8875;
const INIT_B: u32 = 0x8b51_f9dd;
const MULT_B: u32 = 0x58f3_8ded;
const MIX_LEFT: u32 = 0xca01_f9dd;
const MIX_RIGHT: u32 = 0x4973_f715;

/// Entropy of any length and the path of spawns that leads from it to one stream.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seed {
    entropy: Vec<u32>,
    spawn_key: Vec<u32>,
    children: u32,
}

struct Hasher {
    constant: u32,
    multiplier: u32,
}

impl Hasher {
    fn hash(&mut self, value: u32) -> u32 {
        let v = value ^ self.constant;
        self.constant = self.constant.wrapping_mul(self.multiplier);
        let v = v.wrapping_mul(self.constant);
        v ^ (v >> 16)
    }
}

fn mix(x: u32, y: u32) -> u32 {
    let v = MIX_LEFT.wrapping_mul(x).wrapping_sub(MIX_RIGHT.wrapping_mul(y));
    v ^ (v >> 16)
}

impl Seed {
    /// `entropy` holds the 32-bit words of a non-negative integer, least significant first; trailing zeros do not matter.
    pub fn new(entropy: &[u32]) -> Self {
        let used = entropy.iter().rposition(|&w| w != 0).map_or(1, |last| last + 1);
        let entropy = entropy.get(..used).map_or_else(|| vec![0], <[u32]>::to_vec);
        Seed { entropy, spawn_key: Vec::new(), children: 0 }
    }

    /// A seed at a given place in the tree of spawns.
    pub fn with_spawn_key(entropy: &[u32], spawn_key: &[u32]) -> Self {
        Seed { spawn_key: spawn_key.to_vec(), ..Seed::new(entropy) }
    }

    pub fn entropy(&self) -> &[u32] {
        &self.entropy
    }

    pub fn spawn_key(&self) -> &[u32] {
        &self.spawn_key
    }

    /// How many children have been spawned; the next one gets this number appended to the spawn key.
    pub fn children(&self) -> u32 {
        self.children
    }

    /// `n` new children, none of which an earlier call returned; `None` once 2^32 numbers are used up.
    pub fn spawn(&mut self, n: u32) -> Option<Vec<Seed>> {
        let end = self.children.checked_add(n)?;
        let child = |number| {
            let mut spawn_key = self.spawn_key.clone();
            spawn_key.push(number);
            Seed { entropy: self.entropy.clone(), spawn_key, children: 0 }
        };
        let children = (self.children..end).map(child).collect();
        self.children = end;
        Some(children)
    }

    fn pool(&self) -> [u32; POOL] {
        let mut words = self.entropy.clone();
        if !self.spawn_key.is_empty() && words.len() < POOL {
            // Without the padding, entropy followed by a spawn key could equal a longer entropy.
            words.resize(POOL, 0);
        }
        words.extend(&self.spawn_key);
        let mut hasher = Hasher { constant: INIT_A, multiplier: MULT_A };
        let mut pool: [u32; POOL] = std::array::from_fn(|i| hasher.hash(words.get(i).copied().unwrap_or(0)));
        for source in 0..POOL {
            for target in (0..POOL).filter(|&t| t != source) {
                pool[target] = mix(pool[target], hasher.hash(pool[source]));
            }
        }
        for &word in words.iter().skip(POOL) {
            for slot in &mut pool {
                *slot = mix(*slot, hasher.hash(word));
            }
        }
        pool
    }

    /// `N` well-mixed words, the same for the same seed and spawn key.
    pub fn state<const N: usize>(&self) -> [u32; N] {
        let pool = self.pool();
        let mut hasher = Hasher { constant: INIT_B, multiplier: MULT_B };
        std::array::from_fn(|i| hasher.hash(pool[i % POOL]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers of `numpy.random.SeedSequence(entropy, spawn_key=...).generate_state(6)`.
    #[test]
    fn known_answers() {
        let state = |entropy: &[u32], key: &[u32]| Seed::with_spawn_key(entropy, key).state::<6>();
        assert_eq!(state(&[], &[]), [0xb0f478be, 0xdb2cd7e7, 0x2c71ba49, 0xabf4641a, 0x9d7b8d41, 0x20c6ed6d]);
        assert_eq!(state(&[12345], &[]), [0xa03d837c, 0xb5ae6482, 0xfa1f7a2f, 0xbbe2996f, 0x37158f94, 0x64e39a9f]);
        assert_eq!(
            state(&[77, 0, 0, 0, 4], &[]),
            [0x57b87757, 0x11187987, 0x3c97894b, 0x96484c50, 0x07e626a9, 0x47450b5a]
        );
        assert_eq!(state(&[42], &[0]), [0xa001c6a4, 0xdff6ed7d, 0x64d84a1f, 0x43239888, 0x22be369b, 0x9c90dafb]);
        assert_eq!(state(&[42], &[3, 1]), [0xcc7445e8, 0xaede8afe, 0x06c4cc63, 0xb2ba50f3, 0x5327d74b, 0x96b50fe5]);
    }

    #[test]
    fn trailing_zeros_do_not_matter() {
        assert_eq!(Seed::new(&[5, 0, 0]), Seed::new(&[5]));
        assert_eq!(Seed::new(&[0, 0]), Seed::new(&[]));
    }

    #[test]
    fn children_differ_and_continue() {
        let mut seed = Seed::new(&[1]);
        let mut all = seed.spawn(2).unwrap();
        all.extend(seed.spawn(1).unwrap());
        let grandchild = all[0].spawn(1).unwrap().remove(0);
        assert_eq!(grandchild.spawn_key(), [0, 0]);
        assert_eq!(all.iter().map(|c| c.spawn_key()[0]).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(seed.children(), 3);
        all.extend([seed.clone(), grandchild]);
        let states: std::collections::HashSet<[u32; 3]> = all.iter().map(Seed::state).collect();
        assert_eq!(states.len(), 5);
        assert!(seed.spawn(u32::MAX).is_none());
    }
}
