// Letters of UTF-8 text as Python tells them: lower case and kinds, without the interpreter.
//
// Python's tables of Unicode are read directly.  Lower case is that of str.lower: the one letter that becomes two
// is known, and the one whose lower case depends on its neighbours, the capital sigma, is left to Python itself.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace wnparse {

constexpr uint32_t capital_sigma = 0x3a3;
constexpr uint32_t dotted_capital_i = 0x130;  // its lower case is i and a dot above

// The character at `at`, which moves behind it; a stray byte is a character of its own.
inline uint32_t next_character(const char* text, size_t size, size_t* at) {
    const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
    const uint32_t first = byte((*at)++);
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    uint32_t character = more ? first & (0x3fu >> more) : first;
    for (int k = 0; k < more && *at < size && (byte(*at) & 0xc0) == 0x80; ++k)
        character = character << 6 | (byte((*at)++) & 0x3f);
    return character;
}

inline void append_character(uint32_t character, std::string* text) {
    const auto push = [&](uint32_t byte) { text->push_back(static_cast<char>(byte)); };
    if (character < 0x80) {
        push(character);
    } else if (character < 0x800) {
        push(0xc0 | character >> 6);
        push(0x80 | (character & 0x3f));
    } else if (character < 0x10000) {
        push(0xe0 | character >> 12);
        push(0x80 | (character >> 6 & 0x3f));
        push(0x80 | (character & 0x3f));
    } else {
        push(0xf0 | character >> 18);
        push(0x80 | (character >> 12 & 0x3f));
        push(0x80 | (character >> 6 & 0x3f));
        push(0x80 | (character & 0x3f));
    }
}

// X capital, x other letter, d digit, - beyond ASCII, else the character itself.
inline char kind_of(uint32_t character) {
    if (Py_UNICODE_ISUPPER(character)) return 'X';
    if (Py_UNICODE_ISALPHA(character)) return 'x';
    if (Py_UNICODE_ISDIGIT(character)) return 'd';
    return character > 127 ? '-' : static_cast<char>(character);
}

// Of ASCII characters.
struct AsciiKinds {
    char kind[128];
    AsciiKinds() {
        for (uint32_t character = 0; character < 128; ++character) kind[character] = kind_of(character);
    }
};

// text.lower() by Python; false, with nothing changed, if there is no memory.
inline bool lower_by_python(const char* text, size_t size, std::string* lower) {
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject* given = PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(size), "replace");
    PyObject* lowered = given ? PyObject_CallMethod(given, "lower", nullptr) : nullptr;
    Py_ssize_t length = 0;
    const char* bytes = lowered ? PyUnicode_AsUTF8AndSize(lowered, &length) : nullptr;
    if (bytes) lower->assign(bytes, static_cast<size_t>(length));
    Py_XDECREF(lowered);
    Py_XDECREF(given);
    if (!bytes) PyErr_Clear();
    PyGILState_Release(state);
    return bytes != nullptr;
}

// What a form tells: its lower case, its shape (each run of a kind once: Xx, d, Xx-Xx), whether it has a letter or
// digit.
struct Letters {
    std::string lower, shape;
    bool alphanumeric;

    void read(const char* text, size_t size) {
        static const AsciiKinds ascii;
        lower.clear();
        shape.clear();
        alphanumeric = false;
        bool sigma = false;
        for (size_t at = 0; at < size;) {
            const auto byte = static_cast<unsigned char>(text[at]);
            if (byte < 128) {
                const char kind = ascii.kind[byte];
                lower.push_back(kind == 'X' ? static_cast<char>(byte | 0x20) : static_cast<char>(byte));
                alphanumeric |=
                    kind == 'X' || kind == 'x' || kind == 'd';  // no other ASCII character is of these kinds
                add(kind);
                ++at;
            } else {
                const uint32_t character = next_character(text, size, &at);
                append_lower(character);
                sigma |= character == capital_sigma;
                alphanumeric |= Py_UNICODE_ISALNUM(character) != 0;
                add(kind_of(character));
            }
        }
        if (sigma) lower_by_python(text, size, &lower);
    }

private:
    void add(char kind) {
        if (shape.empty() || shape.back() != kind) shape.push_back(kind);
    }
    void append_lower(uint32_t character) {
        if (character == dotted_capital_i) {
            append_character('i', &lower);
            append_character(0x307, &lower);
        } else {
            append_character(Py_UNICODE_TOLOWER(character), &lower);
        }
    }
};

}  // namespace wnparse
