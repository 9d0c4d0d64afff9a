/**
 * One line that says how the page is connected, with the theme's button.
 *
 * @module
 */
import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon, type IconName } from "../shell/Icon.tsx";
import type { Theme } from "../state/boot.ts";
import type { Connection } from "../state/live_socket.ts";

export interface LiveLineProps {
  readonly connection: Connection;
  readonly version: string;
  readonly theme: Signal<Theme>;
  readonly onTry: () => void;
  readonly onTheme: () => void;
}

const THEMES: Readonly<Record<Theme, { icon: IconName; said: string }>> = {
  auto: { icon: "half", said: "Theme: as the system" },
  light: { icon: "sun", said: "Theme: light" },
  dark: { icon: "moon", said: "Theme: dark" },
};

export function LiveLine({ connection, version, theme, onTry, onTheme }: LiveLineProps): VNode {
  const { icon, said } = THEMES[theme.value];
  return (
    <p class="live-line">
      {connection.state === "live"
        ? (
          <>
            <span class="mark new" />
            <span class="label" title={`Version ${version}`}>Live on this machine</span>
          </>
        )
        : connection.state === "connecting"
        ? (
          <>
            <span class="mark wait" />
            <span class="label" title={`Version ${version}`}>Connecting</span>
          </>
        )
        : (
          <>
            <span class="mark bad" />
            <span class="label">
              Not connected, <Countdown until={connection.retryAt} />.{" "}
              <button type="button" class="link" onClick={onTry}>Try now</button>
            </span>
          </>
        )}
      <button
        type="button"
        class="tool-button scripted"
        aria-label={`${said}. Change it`}
        title={said}
        onClick={onTheme}
      >
        <Icon name={icon} />
      </button>
    </p>
  );
}

/** Counts down to the next try, rounded up; looks four times a second (K-271). */
function Countdown({ until }: { until: number }): VNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = Math.ceil((until - now) / 1000);
  return <>{seconds > 0 ? `next try in ${seconds}\u00a0s` : "trying"}</>;
}
