//! The time of a run.

use std::time::{SystemTime, UNIX_EPOCH};

/// Today in UTC: "2026-11-20".
pub fn today() -> String {
    civil(now() / 86_400)
}

/// Seconds since 1970-01-01, UTC.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// A time in UTC as folders are named: "2026-11-20-104159".
pub fn stamp(seconds: u64) -> String {
    let of_day = seconds % 86_400;
    let (hour, minute) = (of_day / 3600, of_day / 60 % 60);
    format!("{}-{hour:02}{minute:02}{:02}", civil(seconds / 86_400), of_day % 60)
}

/// The civil date `days` after 1970-01-01.
fn civil(days: u64) -> String {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::{civil, stamp};

    // Expected by `date -u -d @SECONDS`.
    #[test]
    fn follows_the_calendar() {
        assert_eq!(civil(0), "1970-01-01");
        assert_eq!(civil(11_016), "2000-02-29");
        assert_eq!(civil(11_017), "2000-03-01");
        assert_eq!(civil(19_722), "2023-12-31");
        assert_eq!(civil(20_777), "2026-11-20");
        assert_eq!(civil(47_541), "2100-03-01");
    }

    #[test]
    fn a_stamp_has_the_time_of_day() {
        assert_eq!(stamp(1_795_171_319), "2026-11-20-104159");
        assert_eq!(stamp(1_795_132_800 - 1), "2026-11-19-235959");
    }
}
