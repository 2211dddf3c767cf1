// Scripts that make a lemma of a form: how many characters go at either end, what comes instead, and which letters
// are kept: those of the lower-cased form, or of the form as it is.
//
// A script is made from the longest common substring of form and lemma, the first of the longest; O(form lemma).
// Written as text it is mode, characters gone in front, what comes in front, characters gone behind, what comes
// behind, between tabs; or `=` and a lemma that has nothing in common with its form.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "features/letters.hpp"

namespace wnparse {

inline std::u32string decode_characters(std::string_view text) {
    std::u32string characters;
    for (size_t at = 0; at < text.size();)
        characters.push_back(static_cast<char32_t>(next_character(text.data(), text.size(), &at)));
    return characters;
}

inline std::string encode_characters(std::u32string_view characters) {
    std::string text;
    for (char32_t character : characters) append_character(character, &text);
    return text;
}

inline std::string lower_case(std::string_view text) {
    Letters letters;
    letters.read(text.data(), text.size());
    return letters.lower;
}

struct LemmaScript {
    // Letters of the form as they are; lower-cased; these with a capital first; all capitals; none: a whole lemma.
    enum Mode : char { kept = 'k', lowered = 'l', titled = 't', capitals = 'u', whole = '=' };
    static constexpr size_t longest_text = 2000;  // bytes: what a script adds to a form is less than that
    Mode mode = whole;
    int32_t front_gone = 0, back_gone = 0;  // characters
    std::string front, back;                // what comes instead; of a whole lemma `front`

    // The lemma of a form and its lower case; false if the form is too short for it.
    bool apply(std::string_view form, std::string_view lower, std::string* lemma) const {
        lemma->clear();
        if (mode == whole) {
            *lemma = front;
            return true;
        }
        const std::string_view letters = mode == kept ? form : lower;
        size_t begin = 0, end = letters.size();
        for (int32_t k = 0; k < front_gone; ++k) {
            if (begin >= end) return false;
            do ++begin;
            while (begin < end && continues(letters[begin]));
        }
        for (int32_t k = 0; k < back_gone; ++k) {
            if (end <= begin) return false;
            do --end;
            while (end > begin && continues(letters[end]));
        }
        if (begin >= end) return false;  // something of the form must be left
        lemma->append(front).append(letters.substr(begin, end - begin)).append(back);
        if (mode == titled || mode == capitals) *lemma = raise(*lemma, mode == titled);
        return true;
    }

    std::string text() const {
        if (mode == whole) return "=" + front;
        return std::string(1, mode) + "\t" + std::to_string(front_gone) + "\t" + front + "\t" +
               std::to_string(back_gone) + "\t" + back;
    }

    // Undo `text`; false if that is no script: an unknown mode, other than five parts, numbers of other than one
    // to six digits, an empty lemma, more bytes than a lemma may have.
    static bool parse(std::string_view text, LemmaScript* script) {
        *script = LemmaScript();
        constexpr std::string_view line_ends("\n\r\0", 3);
        if (text.size() < 2 || text.size() > longest_text || text.find_first_of(line_ends) != text.npos)
            return false;
        script->mode = static_cast<Mode>(text[0]);
        if (script->mode == whole) {
            script->front = std::string(text.substr(1));
            return text.find('\t') == text.npos;
        }
        if (std::string_view("kltu").find(text[0]) == std::string_view::npos) return false;
        std::string_view parts[5];
        for (int32_t k = 0; k < 5; ++k) {
            const size_t end = text.find('\t');
            if ((end == text.npos) != (k == 4)) return false;
            parts[k] = text.substr(0, end);
            if (k < 4) text.remove_prefix(end + 1);
        }
        script->front = std::string(parts[2]);
        script->back = std::string(parts[4]);
        return parts[0].size() == 1 && read_number(parts[1], &script->front_gone) &&
               read_number(parts[3], &script->back_gone);
    }

    // A script that makes this lemma of this form.
    static LemmaScript make(std::string_view form, std::string_view lemma) {
        const std::string lower = lower_case(form), low_lemma = lower_case(lemma);
        LemmaScript script = between(lower, low_lemma, lowered);
        if (low_lemma != lemma) {
            // Capitals of the form that stay are likelier than those that are made, unless they spare letters.
            const LemmaScript as_is = between(form, lemma, kept);
            script.mode = raise(low_lemma, true) == lemma ? titled : capitals;
            if (as_is.mode != whole && (!script.makes(form, lower, lemma) || as_is.cost() <= script.cost()))
                script = as_is;
        }
        if (script.makes(form, lower, lemma)) return script;
        script = LemmaScript();
        script.front = std::string(lemma);
        return script;
    }

private:
    static constexpr size_t longest = 500;  // characters of forms that are compared
    static constexpr int32_t most_gone = 999999;

    static bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

    static bool read_number(std::string_view digits, int32_t* number) {
        *number = 0;
        for (char digit : digits) {
            if (digit < '0' || digit > '9') return false;
            *number = 10 * *number + (digit - '0');
            if (*number > most_gone) return false;
        }
        return !digits.empty() && digits.size() <= 6;
    }

    static std::string raise(std::string_view text, bool first_only) {
        std::u32string characters = decode_characters(text);
        for (size_t k = 0; k < characters.size() && (k == 0 || !first_only); ++k)
            characters[k] = static_cast<char32_t>(Py_UNICODE_TOUPPER(characters[k]));
        return encode_characters(characters);
    }

    bool makes(std::string_view form, std::string_view lower, std::string_view lemma) const {
        std::string made;
        return mode != whole && apply(form, lower, &made) && made == lemma;
    }

    size_t cost() const { return static_cast<size_t>(front_gone + back_gone) + front.size() + back.size(); }

    static LemmaScript between(std::string_view from, std::string_view to, Mode mode) {
        const std::u32string a = decode_characters(from), b = decode_characters(to);
        LemmaScript script;
        size_t begin_a = 0, begin_b = 0, size = 0;
        if (a == b)
            size = a.size();
        else if (a.size() <= longest && b.size() <= longest)
            common_substring(a, b, &begin_a, &begin_b, &size);
        else
            while (size < a.size() && size < b.size() && a[size] == b[size]) ++size;
        if (size == 0) return script;
        script.mode = mode;
        script.front_gone = static_cast<int32_t>(begin_a);
        script.back_gone = static_cast<int32_t>(a.size() - begin_a - size);
        script.front = encode_characters(std::u32string_view(b).substr(0, begin_b));
        script.back = encode_characters(std::u32string_view(b).substr(begin_b + size));
        return script;
    }

    static void common_substring(const std::u32string& a, const std::u32string& b, size_t* begin_a,
                                 size_t* begin_b, size_t* size) {
        // run[j + 1]: how long a[..i] and b[..j] end alike.
        std::vector<size_t> run(b.size() + 1, 0);
        for (size_t i = 0; i < a.size(); ++i) {
            for (size_t j = b.size(); j-- > 0;) {
                run[j + 1] = a[i] == b[j] ? run[j] + 1 : 0;
                if (run[j + 1] > *size) {
                    *size = run[j + 1];
                    *begin_a = i + 1 - *size;
                    *begin_b = j + 1 - *size;
                }
            }
        }
    }
};

}  // namespace wnparse
