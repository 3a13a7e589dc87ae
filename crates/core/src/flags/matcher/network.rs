//! Networks such as `10.0.0.0/8`.

use std::net::IpAddr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::flags) struct Network {
    address: u128,
    mask: u128,
    is_v4: bool,
}

impl Network {
    /// Parses a network. A single address is a network with one address.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let (bits, width) = bits(address);
        let prefix = match prefix {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse::<u32>().ok()?
            }
            Some(_) => return None,
            None => width,
        };
        if prefix > width {
            return None;
        }
        // A shift by the whole width is not defined.
        let mask = u128::MAX.checked_shl(width - prefix).unwrap_or(0);
        Some(Self { address: bits & mask, mask, is_v4: address.is_ipv4() })
    }

    /// Returns whether the network contains the address. `address` must be canonical: an IPv4
    /// address must not be in IPv6 form.
    pub fn contains(&self, address: IpAddr) -> bool {
        address.is_ipv4() == self.is_v4 && bits(address).0 & self.mask == self.address
    }
}

fn bits(address: IpAddr) -> (u128, u32) {
    match address {
        IpAddr::V4(address) => (u128::from(address.to_bits()), 32),
        IpAddr::V6(address) => (address.to_bits(), 128),
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::Network;

    #[test]
    fn contains_addresses_inside_only() {
        for (network, address, inside) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.0", false),
            ("10.1.2.3/8", "10.9.9.9", true),
            ("0.0.0.0/0", "255.255.255.255", true),
            ("0.0.0.0/0", "::1", false),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7/32", "192.0.2.8", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::", false),
            ("::/0", "2001:db8::1", true),
            ("::/0", "192.0.2.1", false),
        ] {
            let address: IpAddr = address.parse().expect("an address");
            let network = Network::parse(network).expect("a network");
            assert_eq!(network.contains(address), inside, "{network:?} {address}");
        }
    }

    #[test]
    fn rejects_malformed_networks() {
        for text in ["", "10.0.0.0/33", "10.0.0.0/", "10.0.0/8", "::/129", "10.0.0.0/+8", "a/8"] {
            assert_eq!(Network::parse(text), None, "{text:?}");
        }
    }
}
