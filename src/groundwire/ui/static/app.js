// What every page does: nothing yet that a page cannot do without it.
export {};
