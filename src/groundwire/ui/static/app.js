// What every page does: keys, the command bar, light and dark, times as the reader's clock has them.
import { listen } from "./keys.js";
import { command } from "./command.js";
import { look, times } from "./look.js";

listen();
look();
times(document);
for (const form of document.querySelectorAll("[data-command]")) command(form);
