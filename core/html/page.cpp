// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/page.hpp"

#include <fmt/format.h>

#include "report/escape.hpp"

namespace isovmaf {

namespace {

/// The style sheet of HTML reports. Pictures of differences are dark in both colour schemes, so that all heat_colours
/// stand out from heat_colours[0].
constexpr std::string_view html_style = R"css(
:root { color-scheme: light dark; --page: #f6f6f3; --card: #fff; --text: #1e252c; --quiet: #5b6670; --line: #e2e5e8;
  --same: #2c7a50; --same-back: #e6f2eb; --apart: #b0392d; --apart-back: #f9e8e5; --warn: #855f00; --warn-back: #faf1d9;
  --bar: #b9c4cf; }
@media (prefers-color-scheme: dark) {
  :root { --page: #13161a; --card: #1b1f25; --text: #e3e7eb; --quiet: #99a4af; --line: #2e343c;
    --same: #74c596; --same-back: #1a2d23; --apart: #f0978a; --apart-back: #38211f; --warn: #dcb964;
    --warn-back: #32291a; --bar: #4b5663; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1.5rem 1rem 3rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.125rem; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: 0; }
code, pre, .number { font: .875rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { margin: .75rem 0 0; padding: .625rem .75rem; background: var(--page); border: 1px solid var(--line);
  border-radius: 6px; white-space: pre-wrap; }
.verdict { padding: 1.125rem 1.25rem; border-radius: 8px; border-left: 6px solid; }
.verdict h1, .verdict p { color: var(--text); }
.verdict p { color: var(--quiet); }
.equal { background: var(--same-back); border-color: var(--same); }
.differ { background: var(--apart-back); border-color: var(--apart); }
.could_not_run, .not_executed { background: var(--warn-back); border-color: var(--warn); }
.counts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1rem 0 0; }
.counts div { display: flex; flex-direction: column-reverse; }
.counts dt { color: var(--quiet); font-size: .875rem; }
.counts dd { margin: 0; font-size: 1.25rem; font-weight: 600; line-height: 1.25; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; }
.card + .card { margin-top: 1rem; }
.card > h3 + p { color: var(--quiet); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
th, td { padding: .4375rem .75rem; text-align: left; border-top: 1px solid var(--line); vertical-align: top; }
thead th { border-top: 0; color: var(--quiet); font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 600; position: sticky; left: 0; background: var(--card); }
th:first-child { padding-left: 0; }
td.count, th.count { text-align: right; }
td.same { color: var(--same); }
td.apart { color: var(--apart); font-weight: 600; min-width: 9rem; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .1875rem 1rem; margin: .75rem 0 0; }
dl.facts dt { color: var(--quiet); }
dl.facts dd { margin: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: 1rem; }
.cards .card { margin: 0; }
.cards dl.facts { font-size: .875rem; }
.stages { list-style: none; display: flex; flex-wrap: wrap; gap: .375rem; margin: .875rem 0 0; padding: 0;
  font-size: .875rem; }
.stages li { padding: .125rem .625rem; border-radius: 1rem; background: var(--same-back); color: var(--same); }
.stages li.apart { background: var(--apart-back); color: var(--apart); font-weight: 600; }
.finding + .finding, dl + .finding, pre + .finding { border-top: 1px solid var(--line); padding-top: 1rem; }
.finding { margin-top: 1rem; }
svg text { font-size: 12px; fill: var(--quiet); }
.histogram { display: block; margin-top: .75rem; }
.histogram .grid { stroke: var(--line); }
.histogram .same { fill: var(--bar); }
.histogram .apart { fill: var(--apart); }
.histogram .count { fill: var(--text); text-anchor: middle; }
.histogram .mid { text-anchor: middle; }
.strip { display: grid; grid-template-columns: auto 1fr; gap: .125rem .75rem; align-items: baseline; }
.strip + .strip { margin-top: 1rem; }
.strip p, .ends { color: var(--quiet); font-size: .875rem; }
.strip svg, .ends { grid-column: 1 / 3; }
.strip svg { width: 100%; height: 1.75rem; border-radius: 3px; outline: 1px solid var(--line); }
.strip path { stroke-width: 1; vector-effect: non-scaling-stroke; }
.ends { display: flex; justify-content: space-between; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem .875rem; margin-top: .75rem; font-size: .8125rem;
  color: var(--quiet); }
.legend i { display: inline-block; width: .8125rem; height: .8125rem; border-radius: 2px; margin-right: .3125rem;
  vertical-align: -.0625rem; outline: 1px solid var(--line); }
.heat { margin: 1.25rem 0 0; }
.plot { position: relative; max-width: calc(100% - 3.5rem); margin: 0 0 1.75rem 3rem; }
.plot img { display: block; width: 100%; height: 100%; image-rendering: pixelated; outline: 1px solid var(--line); }
.plot span { position: absolute; font-size: .75rem; line-height: 1; white-space: nowrap;
  color: var(--quiet); }
.plot .x { top: calc(100% + .375rem); transform: translateX(-50%); }
.plot .y { right: calc(100% + .375rem); transform: translateY(-50%); }
.mark { position: absolute; width: 18px; height: 18px; margin: -9px; border: 2px solid #fff; border-radius: 50%;
  box-shadow: 0 0 0 1px #000, inset 0 0 0 1px #000; }
figcaption { margin-top: .375rem; color: var(--quiet); font-size: .875rem; }
footer { margin-top: 2.5rem; color: var(--quiet); font-size: .875rem; }
@media (max-width: 36rem) { body { padding: .75rem .75rem 2rem; } .card { padding: .875rem; }
  dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dt { margin-top: .375rem; font-size: .8125rem; }
  .cards dl.facts { grid-template-columns: max-content 1fr; gap: .125rem .75rem; } .cards dl.facts dt { margin: 0; }
  .strip { grid-template-columns: 1fr; } .strip svg, .ends { grid-column: 1; } }
)css";

} // namespace

std::string html_escape(std::string_view text) { return xml_escape(plain(text)); }

std::string html_page(std::string_view title, std::string_view body, std::string_view more_style) {
    return fmt::format("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
                       "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
                       "<title>{}</title>\n<style>{}{}</style></head><body>\n{}</body></html>\n",
                       html_escape(title), html_style, more_style, body);
}

std::string fact_list_html(std::span<const HtmlFact> facts) {
    std::string out;
    for (const HtmlFact &fact : facts)
        if (!fact.text.empty())
            out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_escape(fact.label), html_escape(fact.text));
    return out.empty() ? out : "<dl class=facts>" + out + "</dl>\n";
}

} // namespace isovmaf
