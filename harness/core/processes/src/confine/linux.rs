//! Files and the network by Landlock, other processes by a filter of system calls.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    Scope, path_beneath_rules,
};
use seccompiler::{
    SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};

use super::room::Room;

/// The newest rules that are asked for; an older system applies those that it knows.
const NEWEST: ABI = ABI::V6;

/// System calls that make another program of a process.
const BECOMING: &[libc::c_long] = &[libc::SYS_execve, libc::SYS_execveat];

/// System calls that begin processes, but for those that also begin threads; and the one by which the new process tells
/// whether it is well.
const STARTING: &[libc::c_long] = &[
    libc::SYS_socketpair,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
];

/// System calls that look into other processes, reach the network, or change the machine.
const REFUSED: &[libc::c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kill,
    libc::SYS_socket,
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
];

/// Confines this thread and those that it begins from now on; returns what this kernel cannot forbid.
pub fn confine(room: &Room) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .and_then(|rules| {
            rules.add_rules(path_beneath_rules(room.readable, AccessFs::from_read(NEWEST)))
        })
        .and_then(|rules| {
            rules.add_rules(path_beneath_rules(room.writable, AccessFs::from_all(NEWEST)))
        })
        .and_then(|rules| rules.restrict_self())
        .context("cannot set Landlock's rules")?;
    if rules.ruleset == RulesetStatus::NotEnforced {
        missing.push("the machine's files (this Linux has no Landlock)".to_owned());
    }
    if filter(room).is_err() {
        missing.push("the network and other processes (this Linux has no seccomp)".to_owned());
    }
    Ok(missing)
}

fn filter(room: &Room) -> Result<()> {
    let arch = std::env::consts::ARCH.try_into().context("no filter for this processor")?;
    let errno = |number: i32| SeccompAction::Errno(number as u32);
    let none: &[libc::c_long] = &[];
    let becoming = if room.may_become { none } else { BECOMING };
    let starting = if room.may_start { none } else { STARTING };
    let refused = REFUSED.iter().chain(becoming).chain(starting);
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        refused.map(|call| (*call, Vec::new())).collect();
    let mut all = Vec::new();
    if !room.may_start {
        // A thread shares its memory with the one that begins it; a process does not.
        let no_thread = SeccompCondition::new(
            0,
            SeccompCmpArgLen::Qword,
            SeccompCmpOp::MaskedEq(libc::CLONE_THREAD as u64),
            0,
        )?;
        rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![no_thread])?]);
        // Its flags cannot be looked at. Without it, libraries take the older call.
        all.push(([(libc::SYS_clone3, Vec::new())].into(), libc::ENOSYS));
    }
    all.push((rules, libc::EPERM));
    for (rules, error) in all {
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, errno(error), arch)?;
        let program: seccompiler::BpfProgram = filter.try_into()?;
        apply_filter(&program)?;
    }
    Ok(())
}
