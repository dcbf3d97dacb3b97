// https://owasp.org/www-community/attacks/CSV_Injection
const FORMULA = /^[=+\-@\t\r\n]/

/** A cell that no spreadsheet runs as a formula: one that looks like one begins with an apostrophe. */
export const csvSafe = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)
