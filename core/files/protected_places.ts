/**
 * Places that hold keys, passwords and sessions, or that are no files at all. They are closed even inside a folder that tools
 * may reach; a person opens one by naming it, or a place in it, in `[fs] root`.
 *
 * @module
 */

/** Below the home folder. */
export const PROTECTED_AT_HOME: readonly string[] = [
  // Keys of shells, signatures and stores of passwords.
  ".ssh",
  ".gnupg",
  ".pki",
  ".age",
  ".password-store",
  ".vault-token",
  ".netrc",
  "_netrc",
  ".pgpass",
  ".my.cnf",
  ".local/share/keyrings",
  ".local/share/kwalletd",
  "Library/Keychains",
  ".config/keepassxc",
  ".config/Bitwarden",
  ".config/Bitwarden CLI",
  ".config/1Password",
  ".config/op",
  ".config/sops",
  // Clouds, registries and forges.
  ".aws",
  ".azure",
  ".config/gcloud",
  ".config/doctl",
  ".kube",
  ".docker",
  ".config/containers",
  ".terraform.d",
  ".config/gh",
  ".config/glab-cli",
  ".config/hub",
  ".config/git/credentials",
  ".git-credentials",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".gem/credentials",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".config/rclone",
  ".config/huggingface",
  ".cache/huggingface/token",
  // Sessions of browsers, of mail and of messengers.
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  ".config/microsoft-edge",
  ".config/vivaldi",
  ".config/opera",
  "snap/firefox",
  "snap/chromium",
  ".var/app",
  ".thunderbird",
  ".config/Signal",
  ".config/Slack",
  ".config/discord",
  ".local/share/TelegramDesktop",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
  "Library/Application Support/BraveSoftware",
  "Library/Cookies",
  "Library/Mail",
  "Library/Messages",
  "AppData",
  // What was typed may hold what was secret.
  ".bash_history",
  ".zsh_history",
  ".local/share/fish/fish_history",
  ".psql_history",
  ".mysql_history",
  ".python_history",
  ".node_repl_history",
];

/** From the top. Processes and devices are no files, and say what the environment holds. */
export const PROTECTED_AT_TOP: readonly string[] = [
  "/proc",
  "/sys",
  "/dev",
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/sudoers",
];
