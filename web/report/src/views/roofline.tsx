// All kernels under the roofs of their device.
import type { JSX } from "preact";
import { useDevices, type KernelProps } from "../data/context";
import { percent, quantity, short } from "../format";
import type { KernelRow } from "../parts/kernel_columns";
import { levelOf, pointOf, RooflinePicture } from "../parts/roofline_picture";
import { go } from "../route";

function Names(props: KernelProps & { rows: KernelRow[] }): JSX.Element {
  return (
    <table class="plain">
      <thead>
        <tr>
          <th />
          <th>kernel</th>
          <th class="numeric">rate</th>
          <th class="numeric">FLOP per byte</th>
          <th>region</th>
          <th class="numeric">of the nearest roof</th>
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row, index) => {
          const { roofline } = row.kernel;
          const point = pointOf(row.kernel);
          const level = levelOf(row.kernel);
          return (
            <tr key={row.index} class={row.index === props.kernelIndex ? "chosen" : ""}>
              <td class="numeric">{index + 1}</td>
              <td>
                <button
                  class="link"
                  onClick={() =>
                    go({ view: "roofline", run: props.runIndex, kernel: row.index, focus: "" })
                  }
                >
                  {row.kernel.name}
                </button>
              </td>
              <td class="numeric">
                {point === undefined
                  ? quantity(level?.bytes_per_second ?? 0, "B/s")
                  : quantity(point.rate, "FLOP/s")}
              </td>
              <td class="numeric">
                {point === undefined ? "no floating point" : short(point.intensity)}
              </td>
              <td>{roofline.region}</td>
              <td class="numeric">
                {roofline.nearest_roof} {percent(roofline.nearest_percent, 0)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function RooflineView(props: KernelProps & { rows: KernelRow[] }): JSX.Element {
  const device = useDevices()?.[props.kernel.device];
  if (device === undefined) return <p class="loading">Unpacking …</p>;
  const rows = props.rows.filter((row) => row.kernel.device === props.kernel.device);
  return (
    <>
      <h2>Roofline of {device.marketing_name}</h2>
      <RooflinePicture
        device={device}
        kernel={props.kernel}
        rows={rows}
        selected={props.kernelIndex}
      />
      <p class="faint">
        Circles as large as the share of the time; kernels without floating point are diamonds at
        the left edge, at their bandwidth. Bold are the roofs that the chosen kernel stands under.
      </p>
      <Names {...props} rows={rows} />
    </>
  );
}
