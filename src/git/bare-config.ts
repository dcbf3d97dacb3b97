/** What says that a repository is bare, and nothing else: a found one may run programs or hold secrets. */
export const BARE_CONFIG =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n'
