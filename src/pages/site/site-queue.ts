import { openTemporary } from '../../database/connection.ts'

/** The addresses of pages to be written, each once, in a temporary SQLite file: memory does not grow with the site. */
export interface SiteQueue {
  /** Adds addresses; those that were added before stay where they are. */
  add(addresses: readonly string[]): void
  /** The next address. */
  next(): string | undefined
  close(): void
}

export function openSiteQueue(): SiteQueue {
  const own = openTemporary()
  own.exec('CREATE TABLE pages (id INTEGER PRIMARY KEY, address TEXT UNIQUE NOT NULL)')
  // A statement of its own would write its pages to the file.
  own.exec('BEGIN')
  const insert = own.prepare<[string]>('INSERT OR IGNORE INTO pages (address) VALUES (?)')
  const next = own.prepare<[number], string>('SELECT address FROM pages WHERE id = ?').pluck()
  let at = 0
  return {
    add(addresses) {
      for (const address of addresses) insert.run(address)
    },
    next() {
      const address = next.get(at + 1)
      if (address !== undefined) at++
      return address
    },
    close: () => own.close(),
  }
}
