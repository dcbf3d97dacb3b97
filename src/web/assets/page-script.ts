/** The script of every page: keys and times. Pages are complete without it. */
export const PAGE_SCRIPT = `'use strict'
for (const time of document.querySelectorAll('time[datetime]')) {
  const date = new Date(time.dateTime)
  if (!Number.isNaN(date.getTime())) time.title = date.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' })
}
const root = document.documentElement
const store = (name, value) => {
  try {
    if (value) localStorage.setItem(name, value)
    else localStorage.removeItem(name)
  } catch {}
}
const stored = (name) => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
const themes = ['', 'light', 'dark']
const names = { '': 'as the system', light: 'light', dark: 'dark' }
const setTheme = (theme) => {
  if (theme) root.dataset.theme = theme
  else delete root.dataset.theme
}
setTheme(stored('theme'))
const addButton = (label, click) => {
  for (const place of document.querySelectorAll('.foot ul')) {
    const item = document.createElement('li')
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label()
    button.addEventListener('click', () => {
      click()
      button.textContent = label()
    })
    item.append(button)
    place.append(item)
  }
}
addButton(
  () => 'Colors: ' + names[root.dataset.theme || ''],
  () => {
    const next = themes[(themes.indexOf(root.dataset.theme || '') + 1) % themes.length]
    setTheme(next)
    store('theme', next)
  },
)
let hasKeys = stored('keys') !== 'off'
addButton(
  () => 'Keys: ' + (hasKeys ? 'on' : 'off'),
  () => {
    hasKeys = !hasKeys
    store('keys', hasKeys ? '' : 'off')
  },
)
for (const tabs of document.querySelectorAll('.tabs, .sub-tabs')) {
  const current = tabs.querySelector('[aria-current]')
  if (current) tabs.scrollLeft = current.getBoundingClientRect().right - tabs.getBoundingClientRect().right + 24
}
const light = () => {
  const [, first, last] = /^#L(\\d+)-L?(\\d+)$/.exec(location.hash) || []
  for (const row of document.querySelectorAll('.code tr.lit')) row.classList.remove('lit')
  if (!first) return
  const [from, to] = [Number(first), Number(last)].sort((a, b) => a - b)
  for (let line = from; line <= Math.min(to, from + 9999); line++) {
    const row = document.getElementById('L' + line)
    if (row) row.classList.add('lit')
  }
  const row = document.getElementById('L' + from)
  if (row) row.scrollIntoView({ block: 'center' })
}
addEventListener('hashchange', light)
light()
for (const code of document.querySelectorAll('.code')) {
  code.addEventListener('click', (event) => {
    const link = event.target.closest('th a')
    const [, first] = /^#L(\\d+)/.exec(location.hash) || []
    if (!link || !event.shiftKey || !first) return
    event.preventDefault()
    location.hash = 'L' + first + '-' + link.hash.slice(1)
  })
}
if (document.querySelector('[data-again]')) setTimeout(() => location.reload(), 3000)
const go = (selector) => {
  const link = document.querySelector(selector)
  if (link) location.href = link.href
}
const moveFile = (step) => {
  const files = [...document.querySelectorAll('.file-diff > summary')]
  const now = files.indexOf(document.activeElement)
  const next = files[now < 0 && step < 0 ? -1 : now + step]
  if (next) next.focus()
}
const items = () => [...document.querySelectorAll('.items > li, .rows > li')].filter((item) => item.checkVisibility())
let at = -1
const move = (step) => {
  const all = items()
  if (all.length === 0) return
  at = Math.min(all.length - 1, Math.max(0, at + step))
  const item = all[at]
  item.scrollIntoView({ block: 'nearest' })
  const link = item.querySelector('h2 a, h3 a, .at, a')
  if (link) link.focus({ preventScroll: true })
}
const tab = (end) => go('.tabs a[href' + (end === '' ? '' : '$="' + end + '"') + ']')
const places = { c: () => tab(''), i: () => tab('/issues'), p: () => tab('/pulls'), d: () => tab('/discussions') }
let isGoing = false
const closeMenus = (focus) => {
  const open = [...document.querySelectorAll('.menu[open]')]
  for (const menu of open) menu.open = false
  if (focus && open[0]) open[0].querySelector('summary').focus()
}
document.addEventListener('click', (event) => {
  if (!event.target.closest('.menu[open]')) closeMenus(false)
})
for (const menu of document.querySelectorAll('.menu')) {
  menu.addEventListener('toggle', () => {
    if (menu.open) for (const other of document.querySelectorAll('.menu[open]')) other.open = other === menu
  })
}
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    if (event.target.matches('[data-search]')) event.target.blur()
    closeMenus(true)
  }
  if (!hasKeys) return
  if (event.ctrlKey || event.metaKey || event.altKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return
  if (isGoing) {
    isGoing = false
    if (places[event.key]) places[event.key]()
    return
  }
  if (event.key === 'g') isGoing = true
  else if (event.key === 'j') move(1)
  else if (event.key === 'k') move(-1)
  else if (event.key === 'n') go('link[rel=next]')
  else if (event.key === 'p') go('link[rel=prev]')
  else if (event.key === 'o' && event.target.matches('a')) event.target.click()
  else if (event.key === '[') moveFile(-1)
  else if (event.key === ']') moveFile(1)
  else if (event.key === '.') go('[data-raw]')
  else if (event.key === 'y') go('[data-permanent]')
  else if (event.key === '?') go('.foot a[href*=about]')
  else if (event.key === '/') {
    const search = document.querySelector('[data-search]')
    if (search) {
      event.preventDefault()
      search.focus()
    }
  }
})
addEventListener('beforeprint', () => {
  for (const one of document.querySelectorAll('details:not([open])')) one.open = true
})
`
