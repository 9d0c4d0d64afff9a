/**
 * A sequence that grows at its end, drawn so that a piece costs the last few items and not all of them.
 *
 * @module
 */
import { Component, type ComponentChildren, type VNode } from "preact";

export interface GrowingProps<T> {
  readonly items: readonly T[];
  readonly draw: (item: T, index: number) => ComponentChildren;
  /** Whether an item is to be drawn again; asked only when it is another object, or has just become final. */
  readonly isOther: (held: T, next: T, becomesFinal: boolean) => boolean;
  readonly final: boolean;
  /** When this changes, every item is drawn again. */
  readonly version?: string;
}

/** Items are drawn in groups of this many. */
const GROUP = 32;

export function Growing<T>(props: GrowingProps<T>): VNode {
  const { items } = props;
  const groups = Array.from({ length: Math.ceil(items.length / GROUP) }, (_, index) => {
    const from = index * GROUP;
    return (
      <Group key={index} {...props as GrowingProps<unknown>} from={from} items={items.slice(from, from + GROUP)} />
    );
  });
  return <>{groups}</>;
}

class Group extends Component<GrowingProps<unknown> & { readonly from: number }> {
  override shouldComponentUpdate(next: Group["props"]): boolean {
    const { items, final, version, isOther } = this.props;
    const becomesFinal = final !== next.final;
    return version !== next.version || items.length !== next.items.length || next.items.some((item, index) => {
      const held = items[index];
      return (held !== item || becomesFinal) && isOther(held, item, becomesFinal);
    });
  }

  render({ items, from, ...rest }: Group["props"]): VNode {
    return <>{items.map((item, index) => <Item key={index} {...rest} item={item} index={from + index} />)}</>;
  }
}

type ItemProps = Omit<GrowingProps<unknown>, "items"> & { readonly item: unknown; readonly index: number };

class Item extends Component<ItemProps> {
  override shouldComponentUpdate(next: ItemProps): boolean {
    const { item, final, version, isOther } = this.props;
    const becomesFinal = final !== next.final;
    return version !== next.version || (item !== next.item || becomesFinal) && isOther(item, next.item, becomesFinal);
  }

  render({ item, index, draw }: ItemProps): VNode {
    return <>{draw(item, index)}</>;
  }
}
