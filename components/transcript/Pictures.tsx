/**
 * The pictures and files of a message or a result: thumbnails whose place is kept while they load, and lines that open.
 *
 * @module
 */
import type { VNode } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { FileRef, ImageRef } from "../../core/log/entry.ts";
import { Chevron, Icon } from "../shell/Icon.tsx";
import { size } from "../words.ts";
import { Actions } from "./actions.ts";
import type { PictureDialogProps } from "./PictureDialog.tsx";
import { saveAddress } from "./save_address.ts";

/** The largest a thumbnail is drawn, in CSS pixels; one of unknown size takes the whole of `UNKNOWN`. */
const LARGEST = { width: 320, height: 200 };
const UNKNOWN = { width: 160, height: 120 };

export interface PicturesProps {
  readonly images?: readonly ImageRef[];
  readonly files?: readonly FileRef[];
}

export function Pictures({ images = [], files = [] }: PicturesProps): VNode | null {
  const { basePath } = useContext(Actions);
  const [opened, setOpened] = useState<number | null>(null);
  if (images.length === 0 && files.length === 0) return null;
  return (
    <div class="brought">
      {images.length > 0 && (
        <ul class="pictures" role="list">
          {images.map((image, index) => (
            <li key={`${index} ${image.ref}`}>
              <a
                href={basePath + image.ref}
                class="picture-link"
                title={`${image.name}, ${size(image.bytes)}`}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
                  event.preventDefault();
                  setOpened(index);
                }}
              >
                <Thumbnail image={image} address={basePath + image.ref} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {files.map((file, index) => <FileLine key={`${index} ${file.ref}`} file={file} />)}
      {opened !== null && images[opened] && (
        <Viewer
          images={images}
          at={opened}
          onMove={setOpened}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

/** The large view, fetched when a picture is first opened; without a connection the browser shows the picture itself. */
function Viewer(props: PictureDialogProps): VNode | null {
  const { basePath } = useContext(Actions);
  const [viewer, setViewer] = useState<typeof import("./PictureDialog.tsx") | null>(null);
  useEffect(() => {
    import("./PictureDialog.tsx").then(setViewer, () => location.assign(basePath + props.images[props.at]?.ref));
  }, []);
  return viewer && <viewer.PictureDialog {...props} />;
}

function Thumbnail({ image, address }: { image: ImageRef; address: string }): VNode {
  const [lost, setLost] = useState(false);
  const { width, height } = sizeOf(image);
  if (lost) return <span class="picture-lost">{image.name} could not be loaded</span>;
  return (
    <img
      src={address}
      alt={image.name}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      class={image.width && image.height ? undefined : "unsized"}
      onError={() => setLost(true)}
    />
  );
}

/** How large its thumbnail is drawn: never larger than it is, and never too thin to be hit. */
export function sizeOf({ width, height }: Pick<ImageRef, "width" | "height">): { width: number; height: number } {
  if (!width || !height) return UNKNOWN;
  const scale = Math.min(1, LARGEST.width / width, LARGEST.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

type Text = "unread" | "loading" | "lost" | { readonly text: string };

/** A text file: its name and size, and behind them its text, as plain text, when it is asked for. */
function FileLine({ file }: { file: FileRef }): VNode {
  const { basePath, payload } = useContext(Actions);
  const [text, setText] = useState<Text>("unread");
  const load = async () => {
    setText("loading");
    setText(await payload(file.ref).then((whole) => ({ text: whole }), () => "lost" as const));
  };
  const onToggle = (event: { currentTarget: HTMLDetailsElement }) => {
    if (event.currentTarget.open && (text === "unread" || text === "lost")) load();
  };
  return (
    <details class="file-line" onToggle={onToggle}>
      <summary>
        <Chevron />
        <span class="file-name">{file.name}</span>
        <span class="help">{size(file.bytes)}</span>
      </summary>
      <div class="file-text">
        {typeof text === "object"
          ? <pre tabIndex={0} aria-label={`Text of ${file.name}`}>{text.text}</pre>
          : <p class="rest-line" role="status">{text === "lost" ? "The file could not be loaded" : "Loading"}</p>}
        <a class="link" href={saveAddress(basePath, file)} download={file.name}>
          <Icon name="save" /> Save {file.name}
        </a>
      </div>
    </details>
  );
}
