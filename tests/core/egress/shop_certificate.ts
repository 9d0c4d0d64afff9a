/**
 * A certificate for shop.example that is good for a hundred years, and its key. It is for tests alone and guards nothing.
 *
 * @module
 */
import type { Tls } from "./hosts.ts";

export const SHOP: Tls = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBnzCCAUSgAwIBAgIUWMNJLgKlDjVXUg23c7k+grpuRRwwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMc2hvcC5leGFtcGxlMCAXDTI2MTIwMTAyMzYwNVoYDzIxMjYx
MTA3MDIzNjA1WjAXMRUwEwYDVQQDDAxzaG9wLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAASKoS9eNLaWD/C82OVaeSN9c7aPNQaxr+sYx3eYq2NUP/sf
d59cVL00zBtSfuU61LYvl4v2xwYNi0BFfWQdFSe+o2wwajAdBgNVHQ4EFgQUyuhG
4PSe38zqUYhJNR9L5y9rghIwHwYDVR0jBBgwFoAUyuhG4PSe38zqUYhJNR9L5y9r
ghIwDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxzaG9wLmV4YW1wbGUwCgYI
KoZIzj0EAwIDSQAwRgIhAMzwxklOMzexO6AD9p3zF2s09BK6/5JJ+XP1E3UM7xHn
AiEA0EI5AXL/nVbs8PjxvFtArMjau3lmPJUJBM93zHKxmH4=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghg2FHZsDKy5t0lsL
nACj2ggTRmWKy6u3nYt6v5CZixChRANCAASKoS9eNLaWD/C82OVaeSN9c7aPNQax
r+sYx3eYq2NUP/sfd59cVL00zBtSfuU61LYvl4v2xwYNi0BFfWQdFSe+
-----END PRIVATE KEY-----
`,
};
