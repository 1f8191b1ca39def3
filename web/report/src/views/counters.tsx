// Every counter and metric of the kernel, by the names of rocprofiler.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useDetail, type KernelProps } from "../data/context";
import { grouped, short } from "../format";

const numberText = (value: number): string =>
  Number.isInteger(value) ? grouped(value) : short(value);

export function CountersView(props: KernelProps): JSX.Element {
  const detail = useDetail(props.runIndex, props.kernelIndex);
  const [words, setWords] = useState("");
  if (detail === undefined) return <p class="loading">Unpacking …</p>;
  const wanted = (name: string): boolean => name.toLowerCase().includes(words.toLowerCase());
  const metrics = Object.entries(detail.metrics).filter(([name]) => wanted(name));
  const counters = Object.entries(detail.counters).filter(([name]) => wanted(name));
  return (
    <>
      <input
        type="search"
        placeholder="Search counters"
        aria-label="Search counters"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <div class="columns">
        <section>
          <h3>Metrics</h3>
          <table class="plain">
            <tbody>
              {metrics.map(([name, metric]) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td class="numeric" title={metric.no_value}>
                    {metric.value === undefined ? "—" : numberText(metric.value)}
                  </td>
                  <td class="faint">
                    {metric.value === undefined ? metric.no_value : metric.unit}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <section>
          <h3>
            Counters <small>sum, largest instance, instances</small>
          </h3>
          <table class="plain">
            <tbody>
              {counters.map(([name, counter]) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td class="numeric">{numberText(counter.sum)}</td>
                  <td class="numeric faint">{numberText(counter.max)}</td>
                  <td class="numeric faint">{counter.instances}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </>
  );
}
