/** A search that cannot be understood; the message says why. */
export class InvalidSearch extends Error {}
