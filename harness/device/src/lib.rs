//! One small API over CUDA and over the simulator.
