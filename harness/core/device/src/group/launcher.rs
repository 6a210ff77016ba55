//! What the launcher of several processes says of each in its environment.

/// A process's place among those that an MPI or Slurm launcher started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launched {
    /// Its number, from 0.
    pub rank: usize,
    /// How many processes there are.
    pub size: usize,
    /// Its number among those of this computer, from 0: the number of its GPU, if it sees all of them.
    pub local: usize,
}

/// Environment variables of a launcher that make no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LauncherError {
    /// A variable is no number.
    #[error("{variable} is `{text}`, and should be a number")]
    NoNumber {
        /// Its name.
        variable: String,
        /// What it holds.
        text: String,
    },
    /// A rank that the number of processes excludes.
    #[error("{variable} is {rank} and {of} is {size}: ranks count from 0")]
    Rank {
        /// The variable with the rank.
        variable: &'static str,
        /// The rank.
        rank: usize,
        /// The variable with the number of processes.
        of: &'static str,
        /// The number of processes.
        size: usize,
    },
}

/// Variables of the launchers: rank, size, rank on the computer. Those of `srun` come last: `mpirun` inside a job of Slurm sees the
/// job's own, too.
const VARIABLES: [(&str, &str, &[&str]); 4] = [
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", &["OMPI_COMM_WORLD_LOCAL_RANK"]),
    ("PMI_RANK", "PMI_SIZE", &["MPI_LOCALRANKID", "PMI_LOCAL_RANK", "SLURM_LOCALID"]),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", &["MV2_COMM_WORLD_LOCAL_RANK"]),
    ("SLURM_PROCID", "SLURM_NTASKS", &["SLURM_LOCALID"]),
];

/// This process's place, as the environment states it (Open MPI, MPICH and Intel MPI, MVAPICH2, Slurm); none if no launcher has started
/// it. A launcher that does not state the rank on this computer is taken to use one computer.
///
/// # Errors
/// [`LauncherError`]: the variables are no numbers, or contradict each other.
pub fn launched(
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<Launched>, LauncherError> {
    let number = |name: &str| -> Result<Option<usize>, LauncherError> {
        let Some(text) = variable(name) else { return Ok(None) };
        let number = text.trim().parse();
        number.map(Some).map_err(|_| LauncherError::NoNumber { variable: name.to_owned(), text })
    };
    for (rank, size, local) in VARIABLES {
        let (Some(at), Some(of)) = (number(rank)?, number(size)?) else { continue };
        if at >= of {
            return Err(LauncherError::Rank { variable: rank, rank: at, of: size, size: of });
        }
        let mut local = local.iter().filter_map(|name| number(name).transpose());
        let local = local.next().transpose()?.unwrap_or(at);
        return Ok(Some(Launched { rank: at, size: of, local }));
    }
    Ok(None)
}

/// What distinguishes one start of a launcher from another, as a part of a file's name; "job" where nothing does.
pub fn job(variable: impl Fn(&str) -> Option<String>) -> String {
    const NAMES: [&str; 2] = ["PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"];
    let slurm = || Some(format!("{}-{}", variable("SLURM_JOB_ID")?, variable("SLURM_STEP_ID")?));
    let job = NAMES.iter().find_map(|name| variable(name)).or_else(slurm);
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    job.map_or_else(|| "job".to_string(), |job| job.chars().map(plain).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Result<Option<Launched>, LauncherError> {
        launched(|name| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| (*value).to_string())
        })
    }

    #[test]
    fn each_launcher_is_understood() {
        let place = |rank, size, local| Ok(Some(Launched { rank, size, local }));
        assert_eq!(of(&[]), Ok(None));
        let open_mpi = [
            ("OMPI_COMM_WORLD_RANK", "5"),
            ("OMPI_COMM_WORLD_SIZE", "8"),
            ("OMPI_COMM_WORLD_LOCAL_RANK", "1"),
            ("SLURM_PROCID", "0"),
            ("SLURM_NTASKS", "2"),
        ];
        assert_eq!(of(&open_mpi), place(5, 8, 1));
        let slurm = [("SLURM_PROCID", "3"), ("SLURM_NTASKS", "4"), ("SLURM_LOCALID", "1")];
        assert_eq!(of(&slurm), place(3, 4, 1));
        assert_eq!(of(&[("PMI_RANK", "1"), ("PMI_SIZE", "2")]), place(1, 2, 1));
        // A shell inside a job has the job's size and no rank.
        assert_eq!(of(&[("SLURM_NTASKS", "4")]), Ok(None));
    }

    #[test]
    fn nonsense_is_told() {
        let of =
            |rank, size| of(&[("PMI_RANK", rank), ("PMI_SIZE", size)]).unwrap_err().to_string();
        assert!(of("2", "2").contains("PMI_RANK is 2"));
        assert!(of("x", "2").contains("`x`"));
    }

    #[test]
    fn starts_of_a_launcher_are_told_apart() {
        let of = |set: &[(&str, &str)]| {
            job(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string()))
        };
        assert_eq!(of(&[]), "job");
        assert_eq!(of(&[("PMIX_NAMESPACE", "prterun-a-12@1")]), "prterun-a-12-1");
        assert_eq!(of(&[("SLURM_JOB_ID", "7"), ("SLURM_STEP_ID", "0")]), "7-0");
    }
}
