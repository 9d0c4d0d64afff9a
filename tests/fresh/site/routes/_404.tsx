export default function NotFound({ url }: { url: URL }) {
  return <p>nothing at {url.pathname}</p>;
}
