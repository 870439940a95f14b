// Runs the printed program `sa_program` over all elements; what stands before this text is in `rust/kernels/src/map/print.rs`.

struct sa_map {
    char *data[SA_OPERANDS];
    sa_i64 n;
    // Of the flat kernel: operand k is one element for all where bit k is set.
    sa_u64 single;
    // Of the strided kernels.
    sa_layout<SA_OPERANDS> layout;
};

template <class T> SA_DEVICE T *sa_operand(const sa_map &p, int k) { return (T *)p.data[k]; }

template <class T, int V> struct alignas(sizeof(T) * V) sa_pack { T x[V]; };

template <int V, class T> SA_DEVICE void sa_load(const sa_map &p, int k, sa_i64 i, T (&x)[V])
{
    if (p.single >> k & 1) {
        const T one = *sa_operand<T>(p, k);
        for (int j = 0; j < V; ++j) x[j] = one;
    } else {
        const sa_pack<T, V> pack = *(const sa_pack<T, V> *)(sa_operand<T>(p, k) + i);
        for (int j = 0; j < V; ++j) x[j] = pack.x[j];
    }
}

template <int V, class T> SA_DEVICE void sa_store(const sa_map &p, int k, sa_i64 i, const T (&x)[V])
{
    sa_pack<T, V> pack;
    for (int j = 0; j < V; ++j) pack.x[j] = x[j];
    *(sa_pack<T, V> *)(sa_operand<T>(p, k) + i) = pack;
}

template <int V> SA_DEVICE void sa_flat(const sa_map &p, sa_i64 i)
{
#define SA_X(k, name, type) type name[V]; sa_load<V>(p, k, i, name);
    SA_INPUTS(SA_X)
#undef SA_X
#define SA_X(k, name, type) type name[V];
    SA_OUTPUTS(SA_X)
#undef SA_X
    for (int k = 0; k < V; ++k) sa_program(SA_ELEMENT(k));
#define SA_X(k, name, type) sa_store<V>(p, k, i, name);
    SA_OUTPUTS(SA_X)
#undef SA_X
}

// Elements that fill 16 bytes of the widest operand; the narrower ones are loaded in fewer bytes. Of a long program, whose
// copies take long to compile and which does not wait for memory, one at a time.
#ifdef SA_LONG
enum { SA_VECTOR = 1 };
// Of a very long one every branch wants registers; with fewer of them more threads run at a time, which gains more than what then
// goes to memory costs.
#if SA_LONG > 1 && !defined(SA_HOST)
#undef SA_BOUNDS
#define SA_BOUNDS __launch_bounds__(256, 3)
#endif
#else
enum { SA_VECTOR = 16 / SA_WIDEST < 8 ? 16 / SA_WIDEST : 8 };
#endif

// One kernel per text, as long programs take long to compile: 1 flat, 2 strided, 3 strided with positions of 64 bits.
#ifndef SA_MAP
#define SA_MAP 0
#endif

#if SA_MAP <= 1
// Contiguous operands, and such of one element.
SA_KERNEL(sa_map_flat, sa_map)
{
    bool aligned = true;
#define SA_X(k, name, type) aligned &= SA_VECTOR == 1 || p.single >> k & 1 || (sa_u64)p.data[k] % (sizeof(type) * SA_VECTOR) == 0;
    SA_INPUTS(SA_X)
    SA_OUTPUTS(SA_X)
#undef SA_X
    const sa_i64 packs = aligned ? p.n / SA_VECTOR : 0;
    for (sa_i64 i = sa_thread(); i < packs; i += sa_threads()) sa_flat<SA_VECTOR>(p, i * SA_VECTOR);
    if constexpr (SA_VECTOR > 1)
        for (sa_i64 i = packs * SA_VECTOR + sa_thread(); i < p.n; i += sa_threads()) sa_flat<1>(p, i);
}

#endif

template <class I> SA_DEVICE void sa_strided(const sa_map &p)
{
    for (sa_i64 i = sa_thread(); i < p.n; i += sa_threads()) {
        sa_i64 at[SA_OPERANDS];
        sa_offsets(p.layout, (I)i, at);
#define SA_X(k, name, type) type name[1] = {sa_operand<type>(p, k)[at[k]]};
        SA_INPUTS(SA_X)
#undef SA_X
#define SA_X(k, name, type) type name[1];
        SA_OUTPUTS(SA_X)
#undef SA_X
        const int k = 0;
        sa_program(SA_ELEMENT(k));
#define SA_X(k, name, type) sa_operand<type>(p, k)[at[k]] = name[0];
        SA_OUTPUTS(SA_X)
#undef SA_X
    }
}

// Any strides; positions of fewer than 2^31 elements are worked out in 32 bits, which divide in a fraction of the time.
#if SA_MAP == 0 || SA_MAP == 2
SA_KERNEL(sa_map_strided, sa_map) { sa_strided<sa_u32>(p); }
#endif
#if SA_MAP == 0 || SA_MAP == 3
SA_KERNEL(sa_map_strided_64, sa_map) { sa_strided<sa_i64>(p); }
#endif
