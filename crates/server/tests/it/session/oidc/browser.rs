use std::collections::HashMap;

use super::PUBLIC;
use crate::request::{Answer, Request};

/// Follows redirects and stores cookies per host.
#[derive(Clone)]
pub struct Browser {
    /// The address to which `PUBLIC` resolves.
    address: String,
    jar: HashMap<String, HashMap<String, String>>,
    /// `Set-Cookie` headers in order.
    pub set_cookies: Vec<String>,
}

const STEPS_MAX: usize = 20;

fn origin_of(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").expect("a scheme");
    format!("{scheme}://{}", rest.split(['/', '?']).next().unwrap_or_default())
}

impl Browser {
    pub fn new(address: &str) -> Self {
        Self { address: address.to_owned(), jar: HashMap::new(), set_cookies: Vec::new() }
    }

    pub fn set_address(&mut self, address: &str) {
        address.clone_into(&mut self.address);
    }

    /// Returns the value of one of this server's cookies.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.jar.get(PUBLIC)?.get(name).map(String::as_str)
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.jar.entry(PUBLIC.to_owned()).or_default().insert(name.into(), value.into());
    }

    /// Follows redirects up to a page of this server outside of the API.
    #[track_caller]
    pub fn follow(&mut self, url: &str) -> String {
        self.follow_to(url, "/console")
    }

    /// Follows redirects up to an address of this server with this path, and returns it without
    /// requesting it.
    #[track_caller]
    pub fn follow_to(&mut self, url: &str, path: &str) -> String {
        let (mut url, end) = (url.to_owned(), format!("{PUBLIC}{path}"));
        for _ in 0..STEPS_MAX {
            let answer = self.get(&url);
            let text = String::from_utf8_lossy(&answer.body);
            assert!((300..400).contains(&answer.status), "{url}: {} {text}", answer.status);
            let location = answer.header("location");
            let next = if location.starts_with('/') {
                format!("{}{location}", origin_of(&url))
            } else {
                location.to_owned()
            };
            if next.starts_with(&end) {
                return next;
            }
            url = next;
        }
        panic!("too many redirects, the last to {url}");
    }

    fn get(&mut self, url: &str) -> Answer {
        let origin = origin_of(url);
        let real = url.replacen(PUBLIC, &format!("http://{}", self.address), 1);
        let mut request = Request::new("GET", real);
        let jar = self.jar.entry(origin).or_default();
        if !jar.is_empty() {
            let pairs: Vec<String> =
                jar.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header("cookie", &pairs.join("; "));
        }
        let answer = request.send();
        for set in answer.headers.get_all("set-cookie") {
            let set = set.to_str().expect("ASCII").to_owned();
            let (pair, _) = set.split_once(';').unwrap_or((&set, ""));
            let (name, value) = pair.split_once('=').expect("a pair");
            if value.is_empty() {
                jar.remove(name);
            } else {
                jar.insert(name.to_owned(), value.to_owned());
            }
            self.set_cookies.push(set);
        }
        answer
    }
}
