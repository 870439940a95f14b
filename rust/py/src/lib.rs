//! The Python face of sciarray: protocols, operators, conversion and errors.
