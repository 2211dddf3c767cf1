#include "decoders/search/width_search_of.hpp"

template std::unique_ptr<wnparse::WidthSearch> wnparse::make_width_search<4>();
