// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/json_text.hpp"

#include <fmt/format.h>

#include "device/backend_names.hpp"
#include "report/escape.hpp"
#include "report/number_text.hpp"

namespace isovmaf {

namespace {

void write_placement(const Execution &execution, JsonText &json) {
    json.open_member("placement", '{');
    for (const FeaturePlacement &place : execution.placement) {
        json.open_member(json_escape(place.feature), '{');
        json.string("backend", place.backend);
        json.string("code", place.code);
        if (!place.reason.empty())
            json.string("reason", place.reason);
        json.close('}');
    }
    json.close('}');
}

void write_work(const Execution &execution, bool timing, JsonText &json) {
    json.open_member("features", '{');
    for (const FeatureWork &work : execution.work) {
        json.open_member(json_escape(work.feature), '{');
        json.integer("kernel_launches", work.launches);
        if (work.flagged > 0)
            json.integer("flagged_frames", work.flagged);
        if (timing)
            json.decimal("device_milliseconds", work.milliseconds);
        json.close('}');
    }
    json.close('}');
}

void write_memory(const DeviceMemory &memory, JsonText &json) {
    json.open_member("memory_bytes", '{');
    json.integer("allocated", static_cast<std::int64_t>(memory.allocated));
    json.integer("allocated_peak", static_cast<std::int64_t>(memory.allocated_peak));
    json.integer("reserved", static_cast<std::int64_t>(memory.reserved));
    json.integer("reserved_peak", static_cast<std::int64_t>(memory.reserved_peak));
    json.integer("pinned", static_cast<std::int64_t>(memory.pinned));
    json.close('}');
}

/// What was used of a device.
void write_use(const Execution &execution, bool timing, JsonText &json) {
    json.integer("frames_in_flight", execution.frames_in_flight);
    json.integer("queues", execution.queues);
    write_work(execution, timing, json);
    write_memory(execution.memory, json);
}

} // namespace

std::string &JsonText::member(std::string_view key) {
    std::string &out = element();
    out += '"';
    out += key;
    out += "\": ";
    return out;
}

std::string &JsonText::element() {
    out_ += empty_ ? "\n" : ",\n";
    out_.append(2 * depth_, ' ');
    empty_ = false;
    return out_;
}

void JsonText::open(char bracket) {
    out_ += bracket;
    depth_++;
    empty_ = true;
}

void JsonText::close(char bracket) {
    depth_--;
    if (!empty_ || empty_style_ == Empty::two_lines) {
        out_ += '\n';
        out_.append(2 * depth_, ' ');
    }
    out_ += bracket;
    empty_ = false;
}

void JsonText::open_member(std::string_view key, char bracket) {
    member(key);
    open(bracket);
}

void JsonText::open_element(char bracket) {
    element();
    open(bracket);
}

void JsonText::string(std::string_view key, std::string_view value) { member(key) += '"' + json_escape(value) + '"'; }

void JsonText::string_or_null(std::string_view key, std::string_view value) {
    if (value.empty())
        member(key) += "null";
    else
        string(key, value);
}

void JsonText::integer(std::string_view key, std::int64_t value) { member(key) += fmt::format_int(value).c_str(); }
void JsonText::flag(std::string_view key, bool value) { member(key) += value ? "true" : "false"; }
void JsonText::decimal(std::string_view key, double value) { member(key) += fmt::format("{:.3f}", value); }
void JsonText::score(std::string_view key, double value) { append_json_number(member(key), value, precision_); }

namespace {

void write_devices(const std::vector<Execution> &devices, bool timing, JsonText &json) {
    json.open_member("devices", '[');
    for (const Execution &device : devices) {
        json.open_element('{');
        json.string("device", device.device);
        json.string_or_null("pci_id", device.pci_id);
        json.string("arch", device.arch);
        write_use(device, timing, json);
        json.close('}');
    }
    json.close(']');
}

} // namespace

void write_execution(const Execution &execution, const std::vector<Execution> &devices, bool timing, JsonText &json) {
    json.string("backend", execution.backend);
    json.string_or_null("plugin", execution.plugin);
    json.string_or_null("device", runs_without_plugin(execution.backend) ? "host CPU" : execution.device);
    write_placement(execution, json);
    if (execution.plugin.empty())
        return;
    json.open_member("execution", '{');
    json.string("build_id", execution.build_id);
    json.string("arch", execution.arch);
    json.string_or_null("pci_id", execution.pci_id);
    json.string("runtime", execution.runtime);
    json.string("driver", execution.driver);
    write_use(execution, timing, json);
    if (!devices.empty())
        write_devices(devices, timing, json);
    json.close('}');
}

} // namespace isovmaf
