//! Ties a process to this one: it ends when this one ends, and what asks this one to end reaches it.

use std::io;
use std::process::{Child, Command};

/// Starts a process that ends with this one, even where this one is killed. On Linux the thread that starts it must outlive
/// it; elsewhere it is left to the process to notice that its standard input was closed.
///
/// # Errors
/// The system does not start it.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    #[cfg(target_os = "linux")]
    end_with_parent(command);
    command.spawn()
}

#[cfg(target_os = "linux")]
fn end_with_parent(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    use nix::sys::prctl::set_pdeathsig;
    use nix::sys::signal::Signal;
    use nix::unistd::{getpid, getppid};

    let parent = getpid();
    let tie = move || {
        set_pdeathsig(Signal::SIGKILL)?;
        // The parent may have ended before the call.
        if getppid() == parent { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
    };
    // SAFETY: between fork and exec only two system calls are made; nothing is allocated and no lock is taken.
    unsafe { command.pre_exec(tie) };
}

/// Lets Ctrl-C at a terminal reach this process alone, which then ends the command's.
pub fn detach(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends a process that was detached, at once, and all that it started in its group.
pub fn end_group(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        use nix::sys::signal::{Signal, killpg};
        // It may have ended by itself. Until it is waited for below, no other process has its number.
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Passes on to a process what asks this one to end, as long as it exists. A terminal sends Ctrl-C to both by itself.
#[cfg(unix)]
pub struct PassedOn {
    signals: signal_hook::iterator::Handle,
}

#[cfg(unix)]
impl PassedOn {
    /// # Errors
    /// The system does not allow it.
    pub fn to(child: &Child) -> io::Result<PassedOn> {
        use std::io::IsTerminal;

        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

        let process = i32::try_from(child.id()).map(Pid::from_raw).map_err(io::Error::other)?;
        let mut asked = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        let signals = asked.handle();
        let is_sent_to_both = io::stdin().is_terminal();
        std::thread::spawn(move || {
            for signal in asked.forever().filter(|signal| *signal != SIGINT || !is_sent_to_both) {
                // It may have ended by itself.
                let _ = Signal::try_from(signal).and_then(|signal| kill(process, signal));
            }
        });
        Ok(PassedOn { signals })
    }
}

#[cfg(unix)]
impl Drop for PassedOn {
    fn drop(&mut self) {
        self.signals.close();
    }
}
