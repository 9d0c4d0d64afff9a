/**
 * A sequence that grows at its end, drawn so that a piece costs the last few items and not all of them.
 *
 * @module
 */
import { Component, type ComponentChildren, type VNode } from "preact";

export interface GrowingProps<T> {
  readonly items: readonly T[];
  readonly draw: (item: T, isTip: boolean) => ComponentChildren;
  /** Whether an item is to be drawn again; asked only when it is another object, or has just become final. */
  readonly isOther: (held: T, next: T, becomesFinal: boolean) => boolean;
  readonly final: boolean;
  /** Whether the last item is the one that is being written. */
  readonly hasTip?: boolean;
  /** When this changes, every item is drawn again. */
  readonly version?: string;
}

/** Items are drawn in groups of this many. */
const GROUP = 32;

export function Growing<T>(props: GrowingProps<T>): VNode {
  const { items, hasTip } = props;
  const groups = Array.from({ length: Math.ceil(items.length / GROUP) }, (_, index) => {
    const from = index * GROUP;
    return (
      <Group
        key={index}
        {...props as GrowingProps<unknown>}
        items={items.slice(from, from + GROUP)}
        hasTip={hasTip === true && from + GROUP >= items.length}
      />
    );
  });
  return <>{groups}</>;
}

class Group extends Component<GrowingProps<unknown>> {
  override shouldComponentUpdate(next: Group["props"]): boolean {
    const { items, final, version, hasTip, isOther } = this.props;
    const becomesFinal = final !== next.final;
    if (version !== next.version || hasTip !== next.hasTip) return true;
    return items.length !== next.items.length || next.items.some((item, index) => {
      const held = items[index];
      return (held !== item || becomesFinal) && isOther(held, item, becomesFinal);
    });
  }

  render({ items, hasTip, ...rest }: Group["props"]): VNode {
    const tip = hasTip ? items.length - 1 : -1;
    return <>{items.map((item, index) => <Item key={index} {...rest} item={item} isTip={index === tip} />)}</>;
  }
}

type ItemProps = Omit<GrowingProps<unknown>, "items" | "hasTip"> & { readonly item: unknown; readonly isTip: boolean };

class Item extends Component<ItemProps> {
  override shouldComponentUpdate(next: ItemProps): boolean {
    const { item, final, version, isTip, isOther } = this.props;
    const becomesFinal = final !== next.final;
    return version !== next.version || isTip !== next.isTip ||
      (item !== next.item || becomesFinal) && isOther(item, next.item, becomesFinal);
  }

  render({ item, isTip, draw }: ItemProps): VNode {
    return <>{draw(item, isTip)}</>;
  }
}
