// The way of the bytes through the chip: widths by bytes, with rates, hits and what was busy.
import type { JSX } from "preact";
import type { KernelProps } from "../data/context";
import type { Kernel, Level } from "../data/model";
import { percent, quantity, short } from "../format";
import { ArrayTable } from "../parts/array_table";
import { Bar } from "../parts/bar";
import { ChipPicture } from "../parts/chip_picture";

function hitText(level: Level): string {
  return level.requests === 0 ? "" : percent((100 * level.hits) / level.requests);
}

function ChannelText({ level }: { level: Level }): JSX.Element {
  const { channels, rows } = level;
  return (
    <>
      {channels === undefined ? null : (
        <div>
          busiest of {channels.count} channels {percent(channels.busiest_percent, 0)}, of each
          moment {percent(channels.moment_percent, 0)}
        </div>
      )}
      {rows === undefined ? null : (
        <div>
          {short(rows.opened)} rows of {quantity(rows.row_bytes, "B")} opened, banks{" "}
          {percent(rows.busy_percent, 0)}, bus {percent(rows.bus_percent, 0)}
        </div>
      )}
    </>
  );
}

function Levels({ kernel }: { kernel: Kernel }): JSX.Element {
  const peak = (level: Level): number => level.peak_bytes_per_cycle * kernel.engine_clock_mhz * 1e6;
  return (
    <table class="plain levels">
      <thead>
        <tr>
          <th>level</th>
          <th class="numeric">read</th>
          <th class="numeric">written</th>
          <th class="numeric">rate</th>
          <th class="numeric">peak</th>
          <th class="numeric">requests</th>
          <th class="numeric">hits</th>
          <th class="numeric">busy</th>
          <th />
          <th>how it is shared</th>
        </tr>
      </thead>
      <tbody>
        {kernel.levels.map((level) => {
          const rate =
            (level.bytes_read + level.bytes_written) / Math.max(kernel.roofline.seconds, 1e-12);
          return (
            <tr key={level.name}>
              <th scope="row">{level.name}</th>
              <td class="numeric">{quantity(level.bytes_read, "B")}</td>
              <td class="numeric">{quantity(level.bytes_written, "B")}</td>
              <td class="numeric">{quantity(rate, "B/s")}</td>
              <td class="numeric" title={level.peak_source}>
                {quantity(peak(level), "B/s")}
              </td>
              <td class="numeric">{level.requests === 0 ? "" : short(level.requests)}</td>
              <td class="numeric">{hitText(level)}</td>
              <td class="numeric">{percent(level.busy_percent)}</td>
              <td style={{ minWidth: "90px", verticalAlign: "middle" }}>
                <Bar percent={level.busy_percent} kind="memory" />
              </td>
              <td class="faint">
                <ChannelText level={level} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function MemoryView(props: KernelProps): JSX.Element {
  return (
    <>
      <h2>Memory</h2>
      <ChipPicture {...props} />
      <Levels kernel={props.kernel} />
      <h2>Arrays</h2>
      <ArrayTable {...props} />
    </>
  );
}
