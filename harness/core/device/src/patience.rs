//! How long is waited for what may never end: seconds that variables set, or the program.

use std::env;
use std::sync::OnceLock;
use std::time::Duration;

use crate::error::{DRIVER_SECONDS, Error};

/// The variable with the seconds that a launch may be simulated without the end of a block.
pub const LAUNCH_SECONDS: &str = "LADDER_LAUNCH_SECONDS";

/// The seconds that the program was told.
static CHOSEN: OnceLock<u32> = OnceLock::new();

/// Sets [`launch_limit`] for this process to a number of seconds above 0, whatever the variable says. Only the first call
/// counts.
pub fn choose_launch_limit(seconds: u32) {
    CHOSEN.get_or_init(|| seconds);
}

/// How long NVIDIA's libraries have to answer: a driver that nothing keeps loaded takes a second or two for each GPU to start.
///
/// # Errors
/// The variable is no number of seconds.
pub(crate) fn driver() -> Result<Duration, Error> {
    seconds(DRIVER_SECONDS, 20)
}

/// How much CPU time a launch may be simulated without the end of a block, for [`crate::Watching`]: more, and one of its
/// loops has no end.
///
/// # Errors
/// The variable is no number of seconds.
pub fn launch_limit() -> Result<Duration, Error> {
    match CHOSEN.get() {
        Some(seconds) => Ok(Duration::from_secs((*seconds).into())),
        None => seconds(LAUNCH_SECONDS, 5),
    }
}

/// The same for launches of a single block, or whose blocks run side by side: all that they do comes before the first end.
///
/// # Errors
/// As [`launch_limit`].
pub fn long_launch_limit() -> Result<Duration, Error> {
    launch_limit().map(|limit| 12 * limit)
}

fn seconds(variable: &str, default: u32) -> Result<Duration, Error> {
    let Some(value) = env::var_os(variable) else { return Ok(Duration::from_secs(default.into())) };
    let seconds = value.to_str().and_then(|text| text.parse::<u32>().ok());
    match seconds.filter(|seconds| *seconds > 0) {
        Some(seconds) => Ok(Duration::from_secs(seconds.into())),
        None => Err(Error::Unavailable {
            what: format!("{variable}={} is no number of seconds", value.display()),
            remedy: format!("write whole seconds, {variable}=600, or leave it out"),
        }),
    }
}
