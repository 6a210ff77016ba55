//! Kinds of machine instructions, as far as a multiprocessor's pipes and latencies tell them apart.

use serde::{Deserialize, Serialize};

program::kinds! {
    /// What kind of work a machine instruction is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[repr(u8)]
    pub enum MachineKind {
        /// Single-precision add, multiply, multiply-add.
        Fp32 = "FP32",
        /// Half-precision arithmetic; ptxas also writes small constants with it.
        Fp16 = "FP16",
        /// Double-precision arithmetic.
        Fp64 = "FP64",
        /// One instruction of the special function unit (MUFU).
        Mufu = "special function",
        /// Integer add, logic, shift, address arithmetic, bit operations.
        Integer = "integer",
        /// Integer multiply-add. It shares the FP32 multiply-add's pipe from compute capability 7.0 on, and
        /// ptxas writes moves and shifts with it to relieve the integer pipe.
        IntegerMul = "integer multiply-add",
        /// Comparison, selection, minimum and maximum, logic on predicates.
        Compare = "compare, select",
        /// Conversion between types; population count and the like, which run beside it.
        Conversion = "conversion",
        /// Copy within registers, special register.
        Move = "move",
        /// Any instruction of the uniform datapath: once for a warp, from compute capability 7.5 on.
        Uniform = "uniform",
        /// Load from global (or generic) memory, texture.
        LoadGlobal = "global load",
        /// Store to global (or generic) memory.
        StoreGlobal = "global store",
        /// Load of 32 bits or less per lane from shared memory.
        LoadShared = "shared load",
        /// The same with 64 bits.
        LoadShared64 = "shared load, 64 bits",
        /// The same with 128 bits.
        LoadShared128 = "shared load, 128 bits",
        /// Store to shared memory.
        StoreShared = "shared store",
        /// Load from constant memory into a register.
        Constant = "constant load",
        /// Load from or store to local memory: spills, arrays.
        Local = "local memory",
        /// Atomic operation on memory.
        Atomic = "atomic",
        /// Exchange between the lanes of a warp: shuffle, vote, match, reduction, transposition.
        Shuffle = "shuffle, vote",
        /// Barrier of a block, memory fence.
        Barrier = "barrier, fence",
        /// Branch, call, return, exit, and what keeps a warp's lanes together.
        Branch = "branch",
        /// Matrix multiply-add.
        Tensor = "tensor",
        /// Anything else.
        Other = "other",
    }
}

impl MachineKind {
    /// The kind of an opcode with its modifiers, as nvdisasm writes it: "FFMA", "LDS.128", "ISETP.NE.AND".
    /// (The instruction set references in NVIDIA's "CUDA Binary Utilities" list the opcodes.)
    pub fn of(opcode: &str) -> MachineKind {
        let base = opcode.split('.').next().unwrap_or_default();
        let has = |modifier: &str| opcode.split('.').skip(1).any(|word| word == modifier);
        match base {
            "FFMA" | "FADD" | "FMUL" | "FFMA2" | "FADD2" | "FMUL2" | "FFMA32I" | "FADD32I"
            | "FMUL32I" | "FSWZADD" => MachineKind::Fp32,
            "HFMA2" | "HADD2" | "HMUL2" | "HADD2_32I" | "HFMA2_32I" | "HMUL2_32I" => {
                MachineKind::Fp16
            }
            "DFMA" | "DADD" | "DMUL" | "DSETP" => MachineKind::Fp64,
            "MUFU" => MachineKind::Mufu,
            "IADD" | "IADD3" | "LOP3" | "LOP" | "LEA" | "SHF" | "SHL" | "SHR" | "PRMT" | "BMSK"
            | "SGXT" | "IABS" | "VABSDIFF" | "VABSDIFF4" | "IADD32I" | "LOP32I" => {
                MachineKind::Integer
            }
            // The H200's profiler counts a VIADD with the multiply-adds: reports/h200-counters/nvrtc-131072.csv, 04.
            "IMAD" | "IMUL" | "IDP" | "IDP4A" | "XMAD" | "VIADD" => MachineKind::IntegerMul,
            "ISETP" | "FSETP" | "HSETP2" | "PLOP3" | "SEL" | "FSEL" | "FMNMX" | "FMNMX3"
            | "IMNMX" | "VIMNMX" | "VIMNMX3" | "VIADDMNMX" | "HMNMX2" | "FSET" | "HSET2"
            | "ICMP" | "FCHK" | "PSETP" | "CSETP" | "CSEL" => MachineKind::Compare,
            "F2F" | "F2I" | "I2F" | "I2I" | "FRND" | "F2FP" | "I2FP" | "F2IP" | "I2IP" | "POPC"
            | "FLO" | "BREV" => MachineKind::Conversion,
            "MOV" | "MOV32I" | "CS2R" | "S2R" | "P2R" | "R2P" | "S2UR" | "R2UR" | "R2B" | "B2R"
            | "LEPC" | "NOP" | "BMOV" => MachineKind::Move,
            "LDG" | "LD" | "TEX" | "TLD" | "TLD4" | "TXQ" | "SULD" | "LDGSTS" | "UBLKCP"
            | "UTMALDG" => MachineKind::LoadGlobal,
            "STG" | "ST" | "SUST" | "UTMASTG" => MachineKind::StoreGlobal,
            "LDS" if has("128") => MachineKind::LoadShared128,
            "LDS" if has("64") => MachineKind::LoadShared64,
            // Four or two matrices are as many words of a lane.
            "LDSM" if has("4") => MachineKind::LoadShared128,
            "LDSM" if has("2") => MachineKind::LoadShared64,
            "LDS" | "LDSM" => MachineKind::LoadShared,
            "STS" | "STSM" => MachineKind::StoreShared,
            "LDC" => MachineKind::Constant,
            "LDL" | "STL" => MachineKind::Local,
            "ATOM" | "ATOMG" | "ATOMS" | "RED" | "REDG" => MachineKind::Atomic,
            "SHFL" | "VOTE" | "VOTEU" | "MATCH" | "REDUX" | "CREDUX" | "MOVM" => {
                MachineKind::Shuffle
            }
            "BAR" | "B2B" | "MEMBAR" | "DEPBAR" | "ERRBAR" | "CCTL" | "SYNCS" | "UCGABAR_ARV"
            | "UCGABAR_WAIT" | "FENCE" | "LDGDEPBAR" | "ARRIVES" | "WARPGROUP" => {
                MachineKind::Barrier
            }
            "BRA" | "BRX" | "BRXU" | "JMP" | "JMX" | "JMXU" | "EXIT" | "CALL" | "RET" | "BSSY"
            | "BSYNC" | "BREAK" | "WARPSYNC" | "KILL" | "NANOSLEEP" | "YIELD" | "BPT"
            | "RPCMOV" | "PREEXIT" | "ACQBULK" => MachineKind::Branch,
            "HMMA" | "IMMA" | "DMMA" | "BMMA" | "QMMA" | "OMMA" | "HGMMA" | "IGMMA" | "QGMMA"
            | "BGMMA" | "UTCHMMA" | "UTCQMMA" | "UTCIMMA" | "UTCOMMA" => MachineKind::Tensor,
            // ULDC, UIADD3, UISETP, USHF …: all that begins with U and is not one of the above.
            _ if base.len() > 2 && base.starts_with('U') || base == "LDCU" => MachineKind::Uniform,
            _ => MachineKind::Other,
        }
    }
}

/// What an instruction that needs a result may have to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Wait {
    /// Arithmetic in single precision, on integers and predicates.
    Alu,
    /// Double-precision arithmetic.
    Fp64,
    /// The special function unit; conversions run there too.
    Mufu,
    /// A load from shared memory, or a shuffle.
    Shared,
    /// A load from global, local or texture memory, or an atomic with a result.
    Global,
    /// A load from constant memory or of a special register.
    Constant,
    /// The uniform datapath, whose results take longer to reach the lanes.
    Uniform,
    /// Matrix multiply-add.
    Tensor,
    /// From a branch that was taken to the first instruction there.
    Branch,
    /// A barrier that all warps have reached.
    Barrier,
    /// A load from global memory that misses L1; what other loads find there is no part of it.
    Miss,
}

impl Wait {
    /// Number of kinds of waits.
    pub const COUNT: usize = Wait::ALL.len();

    /// Every kind, in the order of [`crate::machine::Chain::waits`].
    pub const ALL: [Wait; 11] = [
        Wait::Alu,
        Wait::Fp64,
        Wait::Mufu,
        Wait::Shared,
        Wait::Global,
        Wait::Constant,
        Wait::Uniform,
        Wait::Tensor,
        Wait::Branch,
        Wait::Barrier,
        Wait::Miss,
    ];

    /// Clocks that one such wait takes at least, from issue to issue, on Turing to Hopper: the figures with
    /// which the chains are found. Another GPU's model weighs them with its own.
    ///
    /// Sources: Jia et al., "Dissecting the NVIDIA Volta GPU architecture via microbenchmarking" (2018) and
    /// "Dissecting the NVidia Turing T4 GPU" (2019) for arithmetic 4, shared memory 19, L1 28 to 32 and
    /// constant cache 26; the rest are of the order seen on an H200, a miss that of its DRAM.
    pub fn nominal_clocks(self) -> f64 {
        match self {
            Wait::Alu => 4.0,
            Wait::Fp64 => 8.0,
            Wait::Mufu => 18.0,
            Wait::Shared => 23.0,
            Wait::Global => 34.0,
            Wait::Constant => 26.0,
            Wait::Uniform => 8.0,
            Wait::Tensor => 18.0,
            Wait::Branch => 8.0,
            Wait::Barrier => 20.0,
            Wait::Miss => 600.0,
        }
    }

    /// What the user of an instruction's result waits for.
    pub fn of(opcode: &str) -> Wait {
        match MachineKind::of(opcode) {
            MachineKind::Move if opcode.starts_with("S2") => Wait::Constant,
            MachineKind::Uniform if opcode.contains("LDC") => Wait::Constant,
            kind => Wait::of_kind(kind),
        }
    }

    /// The same where only the kind is known.
    pub(super) fn of_kind(kind: MachineKind) -> Wait {
        match kind {
            MachineKind::Fp64 => Wait::Fp64,
            MachineKind::Mufu | MachineKind::Conversion => Wait::Mufu,
            MachineKind::LoadShared
            | MachineKind::LoadShared64
            | MachineKind::LoadShared128
            | MachineKind::Shuffle => Wait::Shared,
            MachineKind::LoadGlobal | MachineKind::Local | MachineKind::Atomic => Wait::Global,
            MachineKind::Constant => Wait::Constant,
            MachineKind::Uniform => Wait::Uniform,
            MachineKind::Tensor => Wait::Tensor,
            MachineKind::Barrier => Wait::Barrier,
            MachineKind::Branch => Wait::Branch,
            _ => Wait::Alu,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_go_to_the_pipe_that_runs_them() {
        for (opcode, kind) in [
            ("FFMA", MachineKind::Fp32),
            ("FMUL.FTZ", MachineKind::Fp32),
            ("HFMA2.MMA", MachineKind::Fp16),
            ("IADD3.X", MachineKind::Integer),
            ("IMAD.WIDE.U32", MachineKind::IntegerMul),
            ("IMAD.MOV.U32", MachineKind::IntegerMul),
            ("VIADD", MachineKind::IntegerMul),
            ("ISETP.GE.U32.AND", MachineKind::Compare),
            ("MUFU.RSQ", MachineKind::Mufu),
            ("LDS", MachineKind::LoadShared),
            ("LDS.U.128", MachineKind::LoadShared128),
            ("LDS.64", MachineKind::LoadShared64),
            ("LDG.E.SYS", MachineKind::LoadGlobal),
            ("STG.E", MachineKind::StoreGlobal),
            ("LDC.64", MachineKind::Constant),
            ("ULDC", MachineKind::Uniform),
            ("LDCU.128", MachineKind::Uniform),
            ("UMOV", MachineKind::Uniform),
            ("S2UR", MachineKind::Move),
            ("BAR.SYNC.DEFER_BLOCKING", MachineKind::Barrier),
            ("BSSY.RECONVERGENT", MachineKind::Branch),
            ("BRA.U", MachineKind::Branch),
            ("REDUX.SUM", MachineKind::Shuffle),
            ("MOVM.16.MT88", MachineKind::Shuffle),
            ("F2FP.F16.F32.PACK_AB", MachineKind::Conversion),
            ("LDSM.16.M88.4", MachineKind::LoadShared128),
            ("LDSM.16.MT88.2", MachineKind::LoadShared64),
            ("LDSM.16.M88", MachineKind::LoadShared),
            ("HMMA.16816.F32", MachineKind::Tensor),
            ("REDG.E.ADD.F32.FTZ.RN.STRONG.GPU", MachineKind::Atomic),
            ("HMMA.1688.F32.TF32", MachineKind::Tensor),
            ("XYZZY", MachineKind::Other),
            ("", MachineKind::Other),
        ] {
            assert_eq!(MachineKind::of(opcode), kind, "{opcode}");
        }
    }

    #[test]
    fn every_wait_is_listed_once_in_its_place() {
        for (index, wait) in Wait::ALL.into_iter().enumerate() {
            assert_eq!(wait as usize, index);
        }
    }

    #[test]
    fn a_result_is_waited_for_by_what_makes_it() {
        assert_eq!(Wait::of("MUFU.RSQ"), Wait::Mufu);
        assert_eq!(Wait::of("S2R"), Wait::Constant);
        assert_eq!(Wait::of("ULDC.64"), Wait::Constant);
        assert_eq!(Wait::of("UIADD3"), Wait::Uniform);
        assert_eq!(Wait::of("LDG.E"), Wait::Global);
        assert_eq!(Wait::of("FADD"), Wait::Alu);
    }
}
