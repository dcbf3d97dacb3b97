import type { AccountsFile } from '../http/access/accounts-file.ts'
import type { LogEntry } from '../http/request-log.ts'

/** How to serve archives. Without `port` the server listens nowhere: only its `fetch` answers. */
export interface ServeOptions {
  /** The port to listen on; 0 for any free one. */
  port?: number | undefined
  /** The address to listen on. Default 127.0.0.1. */
  bind?: string | undefined
  /** Certificate and key, as PEM. Without them an address other than loopback needs `insecure`. */
  tls?: { cert: string | Uint8Array; key: string | Uint8Array } | undefined
  /** Allows plain HTTP on an address other than loopback. */
  insecure?: boolean | undefined
  /** Host names that the `Host` header may have, in addition to loopback. */
  hostNames?: readonly string[] | undefined
  /** The address written into answers, for a proxy in front. Default: scheme and `Host` of each request. */
  baseUrl?: string | undefined
  /** Origins whose pages may read answers. */
  cors?: readonly string[] | undefined
  /** The file that says who may sign in, or its content. Without it all callers are strangers. */
  accounts?: string | AccountsFile | undefined
  /** A token for the account that made the export, where there is no accounts file. */
  ownerToken?: string | undefined
  /** The folder for migrations and tokens, or `:memory:`. Default: next to the first database. */
  state?: string | undefined
  /** Write nothing: POST and DELETE are refused. */
  readOnly?: boolean | undefined
  /** The time of the interface, in place of `now`. Default: that of the machine. */
  clock?: (() => Date) | undefined
  /** Where the clock starts and runs on from: a time, or ten minutes after the newest event of the feeds. */
  now?: Date | 'newest' | undefined
  /** Seconds that a migration stays pending, and again exporting. Default 1. */
  pace?: number | undefined
  /** Which kinds of records the archive of a migration holds. Default `all`. */
  archiveKinds?: 'all' | 'documented' | undefined
  /** Seconds for which the address of an archive is valid. Default 300. */
  linkLife?: number | undefined
  /** Days after which an archive is deleted. Default 7. */
  archiveLife?: number | undefined
  /** Accept only the media type of the preview for migrations. */
  strictPreview?: boolean | undefined
  /** Serve issue events of kinds beyond the 28 documented ones. */
  allEvents?: boolean | undefined
  /** Seconds that clients of feeds wait between polls. Default 60. */
  pollInterval?: number | undefined
  /** Requests per hour; not enforced unless given. */
  rateLimit?: { callers: number; strangers?: number | undefined } | undefined
  /**
   * Take imports: uploads of archives, and the GraphQL operations of the importer's client. What was imported is served.
   * Needs `accounts`. Default false.
   */
  imports?: boolean | undefined
  /**
   * Hosts from which archives of imports are fetched, with their ports unless these are those of the protocol: by https, or on
   * loopback by http. Needs `imports`. Default: none, so that archives must be uploaded.
   */
  fetchArchives?: readonly string[] | undefined
  /** Migrations with one of these repositories fail, to test clients. */
  fail?: readonly string[] | undefined
  /** The git program that answers clones and fetches. Where it cannot be run, files are served. Default `git`. */
  git?: string | undefined
  /** Answers browsers with pages: `all`, or those that a stranger may see. Default: it shows none. */
  pages?: 'all' | 'public' | undefined
  /** Receives each request when it has been answered. */
  log?: ((entry: LogEntry) => void) | undefined
  /** Receives what the operator should know, one line each. */
  notice?: ((text: string) => void) | undefined
  /** Stops the start. */
  signal?: AbortSignal | undefined
}
