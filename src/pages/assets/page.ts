/** The script of every page: times, colors, keys, marked lines. Pages are complete without it. */

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** The date here; of the last thirty days, how long ago it was, as on the host. */
function dateHere(date: Date): string {
  const age = Date.now() - date.getTime()
  if (age < 0 || age >= 30 * DAY) {
    return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`
  }
  if (age >= DAY) return AGO.format(-Math.floor(age / DAY), 'day')
  if (age >= 60 * MINUTE) return AGO.format(-Math.floor(age / (60 * MINUTE)), 'hour')
  return AGO.format(-Math.floor(age / MINUTE), 'minute')
}

for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
  const date = new Date(time.dateTime)
  if (Number.isNaN(date.getTime())) continue
  time.title = date.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'long' })
  // Not what stands there in other words.
  const text = time.textContent ?? ''
  if (/^\d+ \w{3} \d+$/.test(text)) time.textContent = dateHere(date)
  else if (/^\d\d:\d\d$/.test(text)) time.textContent = date.toTimeString().slice(0, 5)
}

const elementOf = ({ target }: Event): HTMLElement | undefined =>
  target instanceof HTMLElement ? target : undefined

// Storage may be forbidden, and is on some pages from a disk.
function store(name: string, value: string): void {
  try {
    if (value) localStorage.setItem(name, value)
    else localStorage.removeItem(name)
  } catch {}
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Adds a button to the foot of the page, whose label changes with each click. */
function addButton(label: () => string, click: () => void): void {
  for (const list of document.querySelectorAll('.foot ul')) {
    const item = document.createElement('li')
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label()
    button.addEventListener('click', () => {
      click()
      button.textContent = label()
    })
    item.append(button)
    list.append(item)
  }
}

const root = document.documentElement
const THEMES = ['', 'light', 'dark']

function setTheme(theme: string): void {
  if (theme) root.dataset.theme = theme
  else delete root.dataset.theme
}

setTheme(stored('theme') ?? '')
addButton(
  () => `Colors: ${root.dataset.theme || 'as the system'}`,
  () => {
    const next = THEMES[(THEMES.indexOf(root.dataset.theme ?? '') + 1) % THEMES.length] ?? ''
    setTheme(next)
    store('theme', next)
  },
)

let hasKeys = stored('keys') !== 'off'
addButton(
  () => `Keys: ${hasKeys ? 'on' : 'off'}`,
  () => {
    hasKeys = !hasKeys
    store('keys', hasKeys ? '' : 'off')
  },
)

for (const tabs of document.querySelectorAll('.tabs, .sub-tabs')) {
  const current = tabs.querySelector('[aria-current]')
  if (!current) continue
  const end = current.getBoundingClientRect().right - tabs.getBoundingClientRect().right
  tabs.scrollLeft = end + 24
}

const MOST_LINES = 10_000

/** Marks the lines of an address such as #L10-L20, and shows the first. */
function markLines(): void {
  const [, first, last] = /^#L(\d+)-L?(\d+)$/.exec(location.hash) ?? []
  for (const row of document.querySelectorAll('.code tr.lit')) row.classList.remove('lit')
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-lines]')) {
    link.hash = location.hash
  }
  if (first === undefined) return
  const [from, to] = [Math.min(Number(first), Number(last)), Math.max(Number(first), Number(last))]
  for (let line = from; line <= Math.min(to, from + MOST_LINES - 1); line++) {
    document.getElementById(`L${line}`)?.classList.add('lit')
  }
  document.getElementById(`L${from}`)?.scrollIntoView({ block: 'center' })
}

/**
 * Shows what an address names: a heading or footnote of a text has a prefix here, and an item of a long thread may be on
 * another page, which the server finds.
 */
function followHash(): void {
  const name = decodedHash()
  if (name === '') return
  const target = document.getElementById(name)
  if (target) {
    openAround(target)
    return
  }
  const inText = document.getElementById(`user-content-${name}`)
  if (inText) inText.scrollIntoView()
  else if (
    document.querySelector('[data-at]') &&
    /^(?:issuecomment-|discussioncomment-|event-|pullrequestreview-|discussion_r|r)\d+$/.test(
      name,
    ) &&
    !new URLSearchParams(location.search).has('page')
  ) {
    location.replace(`?${new URLSearchParams({ at: name })}`)
  }
}

/** Opens what hides an element. Some browsers do so themselves. */
function openAround(target: Element): void {
  const closed = target.parentElement?.closest<HTMLDetailsElement>('details:not([open])')
  if (!closed) return
  closed.open = true
  openAround(closed)
  target.scrollIntoView()
}

function decodedHash(): string {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}

addEventListener('hashchange', () => {
  markLines()
  followHash()
})
markLines()
followHash()
for (const code of document.querySelectorAll<HTMLElement>('.code')) {
  code.addEventListener('click', (event) => {
    const link = elementOf(event)?.closest<HTMLAnchorElement>('th a')
    const [, first] = /^#L(\d+)/.exec(location.hash) ?? []
    if (!link || !event.shiftKey || first === undefined) return
    event.preventDefault()
    location.hash = `L${first}-${link.hash.slice(1)}`
  })
}

if (document.querySelector('[data-again]')) setTimeout(() => location.reload(), 3000)

/** Adds a button that copies a text. */
function addCopying(parent: Element, name: string, textOf: () => string): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', name)
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(textOf())
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  parent.append(button)
}

for (const code of document.querySelectorAll<HTMLElement>('[data-origin]')) {
  if (location.protocol !== 'file:') {
    code.textContent = `${code.dataset.origin}${location.origin}${code.textContent}`
  }
}
// Pages from other machines have no clipboard unless they are encrypted.
if (navigator.clipboard) {
  for (const code of document.querySelectorAll('[data-copy]')) {
    if (code.parentElement) {
      addCopying(code.parentElement, 'Copy', () => code.textContent ?? '')
    }
  }
  for (const code of document.querySelectorAll('.body pre')) {
    const around = document.createElement('div')
    around.className = 'with-copy'
    code.replaceWith(around)
    around.append(code)
    addCopying(around, 'Copy the code', () => code.textContent ?? '')
  }
}

// Not every browser lets keys scroll what takes no focus.
for (const wide of document.querySelectorAll<HTMLElement>('.body pre, .body table')) {
  if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0
}

function closeMenus(mayFocus: boolean): void {
  const open = [...document.querySelectorAll<HTMLDetailsElement>('.menu[open]')]
  for (const menu of open) menu.open = false
  if (mayFocus) open[0]?.querySelector('summary')?.focus()
}

document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element && event.target.closest('.menu[open]'))) closeMenus(false)
})
for (const menu of document.querySelectorAll<HTMLDetailsElement>('.menu')) {
  menu.addEventListener('toggle', () => {
    if (!menu.open) return
    for (const other of document.querySelectorAll<HTMLDetailsElement>('.menu[open]')) {
      other.open = other === menu
    }
  })
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-narrow]')) {
  form.addEventListener('input', () => {
    const input = form.querySelector<HTMLInputElement>('input:not([type=hidden])')
    const part = input?.value.trim().toLowerCase() ?? ''
    for (const item of form.parentElement?.querySelectorAll('li') ?? []) {
      item.hidden = !(item.textContent ?? '').toLowerCase().includes(part)
    }
  })
}

function follow(selector: string): void {
  const link = document.querySelector<HTMLAnchorElement | HTMLLinkElement>(selector)
  if (link) location.href = link.href
}

const followTab = (end: string) => follow(`.tabs a[href${end && `$="${end}"`}]`)

function focusFile(step: -1 | 1): void {
  const files = [...document.querySelectorAll<HTMLElement>('.file-diff > summary')]
  const now = files.indexOf(document.activeElement as HTMLElement)
  files[now + step]?.focus()
}

let current = -1

/** Goes to the next or the previous item of a list or a thread. */
function focusItem(step: -1 | 1): void {
  const items = [...document.querySelectorAll('.items > li, .rows > li')]
  const visible = items.filter((item) => item.checkVisibility())
  current = Math.min(visible.length - 1, Math.max(0, current + step))
  const item = visible[current]
  item?.scrollIntoView({ block: 'nearest' })
  item?.querySelector<HTMLElement>('h2 a, h3 a, .at, a')?.focus({ preventScroll: true })
}

const KEYS: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  j: () => focusItem(1),
  k: () => focusItem(-1),
  n: () => follow('link[rel=next]'),
  p: () => follow('link[rel=prev]'),
  o: (event) => {
    const element = elementOf(event)
    if (element?.matches('a')) element.click()
  },
  '[': () => focusFile(-1),
  ']': () => focusFile(1),
  '.': () => follow('[data-raw]'),
  t: () => follow('[data-find-file]'),
  y: () => follow('[data-permanent]'),
  '?': () => follow('.foot a[href*=keys]'),
  '/': (event) => {
    const search = document.querySelector<HTMLElement>('[data-search]')
    if (!search) return
    event.preventDefault()
    search.focus()
  },
}

/** Keys after g. */
const PLACES: Readonly<Record<string, () => void>> = {
  c: () => followTab(''),
  i: () => followTab('/issues'),
  p: () => followTab('/pulls'),
  d: () => followTab('/discussions'),
}

let isGoing = false

document.addEventListener('keydown', (event) => {
  const element = elementOf(event)
  if (event.key === 'Escape') {
    if (element?.matches('[data-search]')) element.blur()
    closeMenus(true)
  }
  if (!hasKeys || event.ctrlKey || event.metaKey || event.altKey) return
  if (element?.matches('input, textarea, select')) return
  if (isGoing) {
    isGoing = false
    if (Object.hasOwn(PLACES, event.key)) PLACES[event.key]?.()
  } else if (event.key === 'g') isGoing = true
  else if (Object.hasOwn(KEYS, event.key)) KEYS[event.key]?.(event)
})

addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll<HTMLDetailsElement>('details:not([open])')) {
    details.open = true
  }
})
