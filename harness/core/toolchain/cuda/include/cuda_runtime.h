// SPDX-License-Identifier: MIT OR Apache-2.0
// What of CUDA's runtime concerns kernels is declared without it.
#pragma once
