// rocm-smi: what librocm_smi64 says of the virtual cards, as AMD's program of this name prints it.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/output/exit_code.hpp"
#include "cli/rocm/smi_facts.hpp"
#include "cli/rocm/tool.hpp"
#include "smi/abi/generation.hpp"
#include "smi/api/functions.hpp"

namespace wavetank::smi {

const abi::Generation abi::generation{Layout::kRocm7};

}  // namespace wavetank::smi

namespace wavetank::cli {
namespace {

using namespace smi_text;

constexpr std::size_t kWidth = 115;

enum class Form : unsigned char { kText, kJson, kCsv };

struct Request {
  Form form = Form::kText;
  bool help = false;
  bool topology = false;
  std::vector<std::uint32_t> cards;  ///< ascending
  std::vector<Show> shows;
};

/// A title in the middle of a line.
std::string ruled(const std::string& title) { return fmt::format("{:=^{}}", title, kWidth); }

// ---- the words

Result<void> usage(std::string message) {
  return fail(ErrorCode::kUsage, "rocm-smi: " + std::move(message), {},
              "`rocm-smi --help` lists what Wavetank's knows");
}

/// Words up to the next option; `at` is left on the last of them.
ToolWords values(const ToolWords& words, std::size_t& at) {
  ToolWords result;
  while (at + 1 < words.size() && !words[at + 1].starts_with('-')) result.push_back(words[++at]);
  return result;
}

Result<void> choose_cards(const ToolWords& numbers, std::uint32_t count, Request& request) {
  request.cards.clear();
  for (const std::string& word : numbers) {
    std::uint32_t card = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), card);
    if (error != std::errc{} || end != word.data() + word.size() || card >= count) {
      return usage(fmt::format("there is no device {}", word));
    }
    request.cards.push_back(card);
  }
  if (request.cards.empty()) return usage("-d takes the number of a device");
  return {};
}

/// What --showmeminfo and --showfwinfo are about: the device's own memory, every block.
bool is_known_kind(const Show& show, const std::string& kind) {
  if (show.option == "--showmeminfo") return kind == "vram" || kind == "all";
  return show.option == "--showfwinfo" && (kind == "all" || kind == "mec" || kind == "MEC");
}

Result<void> add_show(const ToolWords& words, std::size_t& at, Request& request) {
  const std::string& word = words[at];
  const auto show = std::ranges::find_if(
      shows(), [&](const Show& each) { return word == each.option || word == each.short_option; });
  if (show == shows().end()) return usage("Wavetank does not know " + word);
  for (const std::string& kind : values(words, at)) {
    if (!is_known_kind(*show, kind)) {
      return usage(fmt::format("{} {} has no answer", show->option, kind));
    }
  }
  request.shows.push_back(*show);
  return {};
}

void add_all(Request& request) {
  for (const Show& show : shows()) {
    if (show.option != "--showgpuclocks") request.shows.push_back(show);
  }
}

Result<Request> parse(const ToolWords& words, std::uint32_t count) {
  Request request;
  for (std::uint32_t card = 0; card < count; ++card) request.cards.push_back(card);
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    Result<void> read;
    if (word == "-h" || word == "--help") {
      request.help = true;
    } else if (word == "--json" || word == "--csv") {
      request.form = word == "--json" ? Form::kJson : Form::kCsv;
    } else if (word == "-d" || word == "--device") {
      read = choose_cards(values(words, at), count, request);
    } else if (word == "-a" || word == "--showallinfo") {
      add_all(request);
    } else if (word == "--showtopo") {
      request.topology = true;
    } else {
      read = add_show(words, at, request);
    }
    if (!read) return tl::unexpected(read.error());
  }
  if (request.form == Form::kText || request.help) return request;
  // The levels of one clock have the names of another's.
  std::erase_if(request.shows, [](const Show& show) { return show.option == "--showclkfrq"; });
  if (!request.shows.empty()) return request;
  return tl::unexpected(usage("--json and --csv want an option that shows something").error());
}

void print_help() {
  fmt::print(
      "usage: rocm-smi [options]\n\n"
      "Without options: a table of the virtual cards, which are idle.\n\n"
      "  -d, --device N [N ...]  these cards only\n"
      "  -a, --showallinfo       all that follows\n");
  for (const Show& show : shows()) {
    const std::string options = show.short_option.empty()
                                    ? std::string(show.option)
                                    : fmt::format("{}, {}", show.short_option, show.option);
    fmt::print("  {:<24}{}\n", options, show.title);
  }
  fmt::print(
      "  --showtopo              links between the cards\n"
      "  --json, --csv           in this form\n"
      "  -h, --help              this text\n");
}

// ---- the table without options

std::string with_unit(const std::string& number, const char* unit) {
  return number == "N/A" ? number : number + unit;
}

void print_concise(const std::vector<std::uint32_t>& cards) {
  fmt::print("{}\n", ruled(" Concise Info "));
  constexpr const char* kRow =
      "{:<7} {:<5} {:<15} {:<10} {:<9} {:<17} {:<8} {:<8} {:<4} {:<5} {:<7} {:<5} {}\n";
  fmt::print(kRow, "Device", "Node", "IDs", "Temp", "Power", "Partitions", "SCLK", "MCLK", "Fan",
             "Perf", "PwrCap", "VRAM%", "GPU%");
  fmt::print(kRow, "", "", "(DID,     GUID)", "(Junction)", "(Socket)", "(Mem, Compute, ID)", "",
             "", "", "", "", "", "");
  fmt::print("{:=^{}}\n", "", kWidth);
  for (const std::uint32_t card : cards) {
    const std::string partitions =
        fmt::format("{}, {}, 0", ask_text(smi::rsmi_dev_memory_partition_get, card),
                    ask_text(smi::rsmi_dev_compute_partition_get, card));
    fmt::print(kRow, card, ask(smi::rsmi_dev_node_id_get, card).value_or(0),
               fmt::format("{},   {}", hex_text(ask(smi::rsmi_dev_id_get, card)),
                           ask(smi::rsmi_dev_guid_get, card).value_or(0)),
               with_unit(temperature_text(card, smi::abi::Sensor::kJunction), "°C"),
               with_unit(power_text(card), "W"), partitions,
               clock_text(card, smi::abi::Clock::kSystem),
               clock_text(card, smi::abi::Clock::kMemory), "0%", "auto",
               with_unit(cap_text(card), "W"), fmt::format("{}%", percent_used(card)),
               fmt::format("{}%", ask(smi::rsmi_dev_busy_percent_get, card).value_or(0)));
  }
  fmt::print("{:=^{}}\n", "", kWidth);
}

// ---- the lists

void print_lists(const Request& request) {
  for (const Show& show : request.shows) {
    fmt::print("{}\n", ruled(fmt::format(" {} ", show.title)));
    for (const std::uint32_t card : request.cards) {
      for (const auto& [name, value] : show.facts(card)) {
        fmt::print("GPU[{}]\t\t: {}{}\n", card, name, value ? ": " + *value : "");
      }
    }
    fmt::print("{:=^{}}\n", "", kWidth);
  }
}

/// The facts of a card under their names; of two with one name the last stays.
nlohmann::ordered_json facts_of(const Request& request, std::uint32_t card) {
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();
  for (const Show& show : request.shows) {
    for (const auto& [name, value] : show.facts(card)) {
      if (value) facts[name] = *value;
    }
  }
  return facts;
}

void print_json(const Request& request) {
  nlohmann::ordered_json all;
  for (const std::uint32_t card : request.cards) {
    all[fmt::format("card{}", card)] = facts_of(request, card);
  }
  fmt::print("{}\n", all.dump());
}

/// Cells are not quoted: a comma in one is left out, as AMD's does.
void print_csv(const Request& request) {
  std::vector<nlohmann::ordered_json> facts;
  std::vector<std::string> names;
  for (const std::uint32_t card : request.cards) {
    facts.push_back(facts_of(request, card));
    for (const auto& [name, value] : facts.back().items()) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  fmt::print("device,{}\n", fmt::join(names, ","));
  for (std::size_t i = 0; i < facts.size(); ++i) {
    fmt::print("card{}", request.cards[i]);
    for (const std::string& name : names) {
      std::string cell = facts[i].value(name, "N/A");
      std::erase(cell, ',');
      fmt::print(",{}", cell);
    }
    fmt::print("\n");
  }
}

// ---- topology: a matrix each

void print_matrix(std::uint32_t count, const char* title,
                  const std::function<std::string(std::uint32_t, std::uint32_t)>& cell) {
  fmt::print("{}\n{:<7}", ruled(fmt::format(" {} ", title)), "");
  for (std::uint32_t to = 0; to < count; ++to) fmt::print("{:<13}", fmt::format("GPU{}", to));
  for (std::uint32_t from = 0; from < count; ++from) {
    fmt::print("\n{:<7}", fmt::format("GPU{}", from));
    for (std::uint32_t to = 0; to < count; ++to)
      fmt::print("{:<13}", from == to ? "0" : cell(from, to));
  }
  fmt::print("\n");
}

void print_topology(std::uint32_t count) {
  print_matrix(count, "Weight between two GPUs", [](std::uint32_t from, std::uint32_t to) {
    std::uint64_t weight = 0;
    smi::rsmi_topo_get_link_weight(from, to, &weight);
    return std::to_string(weight);
  });
  print_matrix(count, "Hops between two GPUs", [](std::uint32_t from, std::uint32_t to) {
    std::uint64_t hops = 0;
    smi::abi::Link link{};
    smi::rsmi_topo_get_link_type(from, to, &hops, &link);
    return std::to_string(hops);
  });
  print_matrix(count, "Link Type between two GPUs", [](std::uint32_t from, std::uint32_t to) {
    std::uint64_t hops = 0;
    smi::abi::Link link{};
    smi::rsmi_topo_get_link_type(from, to, &hops, &link);
    return std::string(link == smi::abi::Link::kXgmi ? "XGMI" : "PCIE");
  });
}

void print_text(const Request& request, std::uint32_t count) {
  fmt::print("\n\n{}\n", ruled(" ROCm System Management Interface "));
  if (request.shows.empty() && !request.topology) print_concise(request.cards);
  print_lists(request);
  if (request.topology) print_topology(count);
  fmt::print("{}\n", ruled(" End of ROCm SMI Log "));
}

}  // namespace

int run_rocm_smi(const ToolWords& words) {
  if (smi::rsmi_init(0) != Status::kSuccess) return kUsageError;
  std::uint32_t count = 0;
  smi::rsmi_num_monitor_devices(&count);
  const Result<Request> request = parse(words, count);
  if (!request) return report(request.error());
  if (request->help) {
    print_help();
  } else if (request->form == Form::kJson) {
    print_json(*request);
  } else if (request->form == Form::kCsv) {
    print_csv(*request);
  } else {
    print_text(*request, count);
  }
  smi::rsmi_shut_down();
  return kOk;
}

}  // namespace wavetank::cli
