"""Runs the kernels of `cuda/` on a GPU through the driver's C interface; between launches arrays lie in the host's memory."""

import ctypes

import numpy as np
import nvrtc
from cuda_host import BEFORE_ALL


class Driver:
    """The first device."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self("cuInit", 0)
        self("cuDeviceGet", ctypes.byref(device), 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(100)
        self("cuDeviceGetName", name, 100, device)
        self.name = name.value.decode()
        capability = [ctypes.c_int(), ctypes.c_int()]
        for number, attribute in zip(capability, (75, 76)):
            self("cuDeviceGetAttribute", ctypes.byref(number), attribute, device)
        self.architecture = f"sm_{capability[0].value}{capability[1].value}"

    def __call__(self, function, *args):
        status = getattr(self.library, function)(*args)
        assert status == 0, f"{function} returns {status}"

    def load(self, text):
        """The module of a complete text."""
        code = nvrtc.compile(text, self.architecture, "--std=c++17", "--diag-suppress=177")
        module = ctypes.c_void_p()
        self("cuModuleLoadData", ctypes.byref(module), code)
        return module

    def function(self, module, kernel):
        f = ctypes.c_void_p()
        self("cuModuleGetFunction", ctypes.byref(f), module, kernel.encode())
        return f

    def allocate(self, size):
        address = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        return address.value

    def free(self, address):
        self("cuMemFree_v2", ctypes.c_uint64(address))

    def start(self, f, parameters, grid, block):
        """Launches without waiting; the kernel takes one structure of these bytes."""
        structure = ctypes.create_string_buffer(bytes(parameters), len(parameters))
        arguments = (ctypes.c_void_p * 1)(ctypes.addressof(structure))
        sizes = [int(x) for s in (grid, block) for x in (list(np.atleast_1d(s)) + [1, 1])[:3]]
        self("cuLaunchKernel", f, *map(ctypes.c_uint, sizes), ctypes.c_uint(0), None, arguments, None)

    def wait(self):
        self("cuCtxSynchronize")


def text(piece):
    """A piece with what all kernels stand on."""
    return BEFORE_ALL + piece


class Device:
    """As `cuda_host.Host`, with the memory that the operands lie in copied to the device and back at each launch."""

    def __init__(self, texts):
        self.driver = Driver()
        self.texts, self.modules = texts, {}

    def launch(self, name, kernel, parameters, grid, block):
        driver = self.driver
        if name not in self.modules:
            self.modules[name] = driver.load(text(self.texts[name]))
        roots = {}
        for _, array in parameters.pointers:
            root = array
            while isinstance(root.base, np.ndarray):
                root = root.base
            roots[root.ctypes.data] = root
        memory = {}
        try:
            for address, root in roots.items():
                memory[address] = driver.allocate(root.nbytes)
                driver(
                    "cuMemcpyHtoD_v2",
                    ctypes.c_uint64(memory[address]),
                    ctypes.c_void_p(address),
                    ctypes.c_size_t(root.nbytes),
                )
            patched = bytearray(parameters)
            for at, array in parameters.pointers:
                place = array.ctypes.data
                start = max((a for a in roots if a <= place), default=place)
                patched[at : at + 8] = (memory[start] + place - start).to_bytes(8, "little")
            driver.start(driver.function(self.modules[name], kernel), patched, grid, block)
            driver.wait()
            for address, root in roots.items():
                if root.flags.writeable:
                    driver(
                        "cuMemcpyDtoH_v2",
                        ctypes.c_void_p(address),
                        ctypes.c_uint64(memory[address]),
                        ctypes.c_size_t(root.nbytes),
                    )
        finally:
            for address in memory.values():
                driver.free(address)
