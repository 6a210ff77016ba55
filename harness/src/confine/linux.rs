//! Files and the network by Landlock, other processes by a filter of system calls.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    Scope, path_beneath_rules,
};
use seccompiler::{
    SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};

/// The newest rules that are asked for; an older system applies those that it knows.
const NEWEST: ABI = ABI::V6;

/// System calls that begin processes, look into others, reach the network, or change the machine.
const REFUSED: &[libc::c_long] = &[
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kill,
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_io_uring_setup,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_setuid,
    libc::SYS_setgid,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
];

/// Confines this thread and those that it begins from now on; returns what this kernel cannot forbid.
pub fn confine(readable: &[PathBuf]) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .and_then(|rules| {
            rules.add_rules(path_beneath_rules(readable, AccessFs::from_read(NEWEST)))
        })
        .and_then(|rules| rules.restrict_self())
        .context("cannot set Landlock's rules")?;
    if rules.ruleset == RulesetStatus::NotEnforced {
        missing.push("the machine's files (this Linux has no Landlock)".to_owned());
    }
    if filter().is_err() {
        missing.push("the network and other processes (this Linux has no seccomp)".to_owned());
    }
    Ok(missing)
}

fn filter() -> Result<()> {
    let arch = std::env::consts::ARCH.try_into().context("no filter for this processor")?;
    let errno = |number: i32| SeccompAction::Errno(number as u32);
    // A thread shares its memory with the one that begins it; a process does not.
    let no_thread = SeccompCondition::new(
        0,
        SeccompCmpArgLen::Qword,
        SeccompCmpOp::MaskedEq(libc::CLONE_THREAD as u64),
        0,
    )?;
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![no_thread])?]);
    // Its flags cannot be looked at. Without it, libraries take the older call.
    let newer = [(libc::SYS_clone3, Vec::new())].into();
    for (rules, error) in [(rules, libc::EPERM), (newer, libc::ENOSYS)] {
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, errno(error), arch)?;
        let program: seccompiler::BpfProgram = filter.try_into()?;
        apply_filter(&program)?;
    }
    Ok(())
}
