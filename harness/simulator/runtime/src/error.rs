//! Errors as programs see them: `cudaError_t`.

/// An error's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CudaError(pub i32);

/// The result of a call.
pub type CudaResult<T = ()> = Result<T, CudaError>;

/// Defines errors: constant, number, name and text.
macro_rules! codes {
    ($($constant:ident = $number:literal $name:literal $text:literal;)*) => {
        $(#[doc = concat!("`", $name, "`: ", $text, ".")] pub const $constant: CudaError = CudaError($number);)*

        /// Numbers, names and texts. The texts end with a zero for C.
        const CODES: &[(i32, &str, &str)] =
            &[$(($number, concat!($name, "\0"), concat!($text, "\0"))),*];
    };
}

codes! {
    SUCCESS = 0 "cudaSuccess" "no error";
    INVALID_VALUE = 1 "cudaErrorInvalidValue" "invalid argument";
    OUT_OF_MEMORY = 2 "cudaErrorMemoryAllocation" "out of memory";
    INVALID_CONFIGURATION = 9 "cudaErrorInvalidConfiguration" "invalid configuration argument";
    INVALID_PITCH = 12 "cudaErrorInvalidPitchValue" "invalid pitch argument";
    INVALID_SYMBOL = 13 "cudaErrorInvalidSymbol" "invalid device symbol";
    INVALID_DEVICE_POINTER = 17 "cudaErrorInvalidDevicePointer" "invalid device pointer";
    INVALID_TEXTURE = 18 "cudaErrorInvalidTexture" "invalid texture reference";
    INVALID_CHANNELS = 20 "cudaErrorInvalidChannelDescriptor" "invalid channel descriptor";
    INVALID_DIRECTION = 21 "cudaErrorInvalidMemcpyDirection" "invalid copy direction for memcpy";
    MISSING_CONFIGURATION = 52 "cudaErrorMissingConfiguration" "__global__ function call is not configured";
    INVALID_FUNCTION = 98 "cudaErrorInvalidDeviceFunction" "invalid device function";
    INVALID_DEVICE = 101 "cudaErrorInvalidDevice" "invalid device ordinal";
    INVALID_IMAGE = 200 "cudaErrorInvalidKernelImage" "device kernel image is invalid";
    NO_IMAGE = 209 "cudaErrorNoKernelImageForDevice" "no kernel image is available for execution on the device";
    NO_PEER = 217 "cudaErrorPeerAccessUnsupported" "peer access is not supported between these two devices";
    INVALID_PTX = 218 "cudaErrorInvalidPtx" "a PTX JIT compilation failed";
    FILE_NOT_FOUND = 301 "cudaErrorFileNotFound" "file not found";
    INVALID_HANDLE = 400 "cudaErrorInvalidResourceHandle" "invalid resource handle";
    ILLEGAL_STATE = 401 "cudaErrorIllegalState" "the operation cannot be performed in the present state";
    NOT_FOUND = 500 "cudaErrorSymbolNotFound" "named symbol not found";
    NOT_READY = 600 "cudaErrorNotReady" "device not ready";
    ILLEGAL_ADDRESS = 700 "cudaErrorIllegalAddress" "an illegal memory access was encountered";
    OUT_OF_RESOURCES = 701 "cudaErrorLaunchOutOfResources" "too many resources requested for launch";
    TIMEOUT = 702 "cudaErrorLaunchTimeout" "the launch timed out and was terminated";
    ASSERT = 710 "cudaErrorAssert" "device-side assert triggered";
    REGISTERED = 712 "cudaErrorHostMemoryAlreadyRegistered" "part or all of the requested memory range is already mapped";
    NOT_REGISTERED = 713 "cudaErrorHostMemoryNotRegistered" "pointer does not correspond to a registered memory region";
    MISALIGNED = 716 "cudaErrorMisalignedAddress" "misaligned address";
    LAUNCH_FAILURE = 719 "cudaErrorLaunchFailure" "unspecified launch failure";
    TOO_LARGE = 720 "cudaErrorCooperativeLaunchTooLarge" "too many blocks in cooperative launch";
    NOT_SUPPORTED = 801 "cudaErrorNotSupported" "operation not supported";
    CAPTURE_UNSUPPORTED = 900 "cudaErrorStreamCaptureUnsupported" "operation not permitted when stream is capturing";
    CAPTURE_UNJOINED = 904 "cudaErrorStreamCaptureUnjoined" "capturing stream has unjoined work";
    GRAPH_UPDATE = 910 "cudaErrorGraphExecUpdateFailure" "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update";
    UNKNOWN = 999 "cudaErrorUnknown" "unknown error";
}

impl CudaError {
    /// The name, such as `cudaErrorInvalidValue`, and a zero for C.
    pub fn name(self) -> &'static str {
        self.known().map_or("unrecognized error code\0", |(_, name, _)| name)
    }

    /// The description, and a zero for C.
    pub fn text(self) -> &'static str {
        self.known().map_or("unrecognized error code\0", |(_, _, text)| text)
    }

    fn known(self) -> Option<&'static (i32, &'static str, &'static str)> {
        CODES.iter().find(|(number, _, _)| *number == self.0)
    }
}
