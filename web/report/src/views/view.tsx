// Which view is shown.
import type { JSX } from "preact";
import type { ViewId } from "../route";
import { Summary, type SummaryProps } from "./summary";

export function View(props: SummaryProps & { id: ViewId }): JSX.Element {
  switch (props.id) {
    default:
      return <Summary {...props} />;
  }
}
