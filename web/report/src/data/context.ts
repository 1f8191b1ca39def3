// What every view may ask for.
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Theme } from "../theme";
import type { Detail, Device, Kernel, Page, Reason, Run } from "./model";
import { detailPart, devicesPart, sourcesPart } from "./parts";

export interface Shared {
  page: Page;
  theme: Theme;
  reasons: Map<string, Reason>;
}

const SharedContext = createContext<Shared | null>(null);
export const SharedProvider = SharedContext.Provider;

export function useShared(): Shared {
  const shared = useContext(SharedContext);
  if (shared === null) throw new Error("outside of the page");
  return shared;
}

/** A value that is being unpacked; undefined until it is there. */
function useLater<T>(start: () => Promise<T>, key: string): T | undefined {
  const [state, setState] = useState<{ key: string; value: T } | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    void start().then((value) => {
      if (wanted) setState({ key, value });
    });
    return () => {
      wanted = false;
    };
  }, [key]);
  return state?.key === key ? state.value : undefined;
}

export const useDetail = (run: number, kernel: number): Detail | undefined =>
  useLater(() => detailPart(run, kernel), `${run}.${kernel}`);

export const useDevices = (): Record<string, Device> | undefined =>
  useLater(devicesPart, "devices");

export const useSources = (): Record<string, string> | undefined =>
  useLater(sourcesPart, "sources");

/** What a view about one kernel is given. */
export interface KernelProps {
  run: Run;
  runIndex: number;
  kernel: Kernel;
  kernelIndex: number;
  focus: string;
}

/** Milliseconds that all launches of a kernel took together. */
export function totalMilliseconds(kernel: Kernel): number {
  return (kernel.mean_cycles * kernel.launches) / (kernel.engine_clock_mhz * 1e3);
}
