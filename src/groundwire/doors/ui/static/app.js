// What every page does: keys, the command bar, light and dark, times as the reader's clock has them.
import { listen } from "./keys.js";
import { command } from "./command.js";
import { look, times } from "./look.js";

listen();
look();
times(document);
for (const form of document.querySelectorAll("[data-command]")) command(form);

// On a narrow screen the row of places scrolls: the one that is open is brought into view.
const row = document.querySelector(".places");
const open = row?.querySelector("[aria-current]");
if (open) row.scrollLeft = open.offsetLeft - (row.clientWidth - open.offsetWidth) / 2;
