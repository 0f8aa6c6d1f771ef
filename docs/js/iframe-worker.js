// The site's search runs in a worker, which browsers refuse to pages opened from a folder. There, an invisible frame does its work.
"use strict";
if (location.protocol === "file:") {
  window.IFrameWorker = class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.documentElement.appendChild(this.frame);
      this.inside = this.frame.contentWindow;
      this.heard = (event) => {
        if (event.source !== this.inside) return;
        const told = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(told);
        if (this.onmessage) this.onmessage(told);
      };
      addEventListener("message", this.heard);
      const page = this.inside.document;
      page.open();
      page.write("<html><body></body></html>");
      page.close();
      this.inside.postMessage = (data) => window.dispatchEvent(new MessageEvent("message", { data, source: this.inside }));
      this.inside.importScripts = (...urls) => urls.reduce((done, one) => done.then(() => this.load(one)), Promise.resolve());
      this.ready = this.load(url);
    }

    load(url) {
      return new Promise((loaded, failed) => {
        const script = this.inside.document.createElement("script");
        script.src = url;
        script.onload = loaded;
        script.onerror = () => failed(new Error(`cannot load ${url}`));
        this.inside.document.body.appendChild(script);
      });
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      removeEventListener("message", this.heard);
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
