//! The verifier, verified: correct f32 code must pass, every broken one must not.
