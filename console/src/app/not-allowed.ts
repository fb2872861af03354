/** Thrown by the guard of a screen that the visitor's role may not enter. */
export class NotAllowed extends Error {}
