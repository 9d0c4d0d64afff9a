export default function Cart() {
  return <p>cart</p>;
}
