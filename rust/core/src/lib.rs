//! Arrays: dtype, shape, storage, the gate, gradients, recordings and the op table.
