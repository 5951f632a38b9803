import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { JSX, VNode } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef } from "preact/hooks";

export interface ListHandle {
  focus(): void;
  scrollTo(index: number, align?: "auto" | "start" | "center" | "end"): void;
}

export interface VirtualListProps {
  readonly count: number;
  readonly estimate: (index: number) => number;
  readonly keyOf: (index: number) => string;
  readonly render: (index: number) => VNode;
  readonly label: string;
  readonly class: string;
  /** How a reader is told what the list is: a feed of articles, or a list of items. */
  readonly role: "feed" | "list";
  readonly handle?: { current: ListHandle | undefined };
  /** Stays at the end while it is there. Default false. */
  readonly stick?: boolean;
  /** Someone scrolls away from the end. */
  readonly onScrollUp?: () => void;
}

/** A list of which only what is in sight is in the document. Rows have the height that they have. */
export function VirtualList(props: VirtualListProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const options = {
    count: props.count,
    estimateSize: props.estimate,
    getItemKey: props.keyOf,
    getScrollElement: () => scroller.current,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(undefined),
    overscan: 8,
    anchorTo: props.stick === true ? ("end" as const) : ("start" as const),
    followOnAppend: props.stick === true,
    scrollEndThreshold: 60,
  };
  const kept = useRef<Virtualizer<HTMLDivElement, HTMLDivElement> | undefined>(undefined);
  kept.current ??= new Virtualizer<HTMLDivElement, HTMLDivElement>(options);
  const virtualizer = kept.current;
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  const isStuck = props.stick === true;
  const latest = useRef(props.count);
  latest.current = props.count;
  // What comes up below the list makes it smaller: its end stays in sight.
  useEffect(() => {
    if (scroller.current === null || !isStuck) return;
    const observer = new ResizeObserver(() => virtualizer.scrollToIndex(latest.current - 1, { align: "end" }));
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [virtualizer, isStuck]);
  if (props.handle !== undefined) {
    props.handle.current = {
      focus: () => scroller.current?.focus({ preventScroll: true }),
      scrollTo: (index, align = "auto") => virtualizer.scrollToIndex(index, { align }),
    };
  }

  return (
    <div
      ref={scroller}
      class={`scroller ${props.class}`}
      tabIndex={-1}
      onWheel={({ deltaY }) => {
        if (deltaY < 0) props.onScrollUp?.();
      }}
      onTouchMove={() => props.onScrollUp?.()}
    >
      <div
        class="scrolled"
        {...{ role: props.role, "aria-label": props.label }}
        style={{ height: `${virtualizer.getTotalSize()}px` }}
      >
        {virtualizer.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={(element) => virtualizer.measureElement(element)}
            data-index={item.index}
            class="item"
            role={props.role === "list" ? "listitem" : "presentation"}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {props.render(item.index)}
          </div>
        ))}
      </div>
    </div>
  );
}
